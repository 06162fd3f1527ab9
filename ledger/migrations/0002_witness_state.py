from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("ledger", "0001_initial")]

    operations = [
        migrations.RemoveConstraint(model_name="witnessstanding", name="witness_standing_one_row"),
        migrations.RenameModel(old_name="WitnessStanding", new_name="WitnessState"),
        migrations.AddConstraint(
            model_name="witnessstate",
            constraint=models.CheckConstraint(condition=models.Q(("id", 1)), name="witness_state_one_row"),
        ),
    ]
