"""A promise that names a witness who was replaced before it opened is made anew."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('draws', '0002_promises_to_be_kept'),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='commitment',
            name='draws_promised_once',
        ),
        migrations.AddConstraint(
            model_name='commitment',
            constraint=models.UniqueConstraint(fields=('purpose', 'name', 'witness_key'), name='draws_promised_once'),
        ),
        migrations.AddConstraint(
            model_name='commitment',
            constraint=models.UniqueConstraint(condition=models.Q(('master__isnull', True)), fields=('purpose', 'name'), name='draws_one_to_be_kept'),
        ),
    ]
