from django.db import migrations, models


# A number kept in two spellings was one card in two hands: the first to be issued keeps it, the others are cancelled.
_ONE_FORM = """
    WITH twins AS (
        SELECT id, row_number() OVER (PARTITION BY upper(number) ORDER BY issued_at, id) AS nth FROM house_playercard
    )
    UPDATE house_playercard card
    SET number = CASE WHEN nth = 1 THEN upper(number) ELSE 'TWIN-' || card.id END,
        cancelled_at = CASE WHEN nth = 1 THEN cancelled_at ELSE coalesce(cancelled_at, now()) END,
        cancelled_because = CASE WHEN nth = 1 THEN cancelled_because
                                 ELSE 'Issued as ' || number || ', which was another player’s card already.' END
    FROM twins WHERE twins.id = card.id AND (nth > 1 OR number <> upper(number))
"""


class Migration(migrations.Migration):

    dependencies = [
        ('house', '0008_guesses'),
    ]

    operations = [
        migrations.RunSQL(_ONE_FORM, migrations.RunSQL.noop),
        migrations.AlterField(
            model_name='playercard',
            name='number',
            field=models.CharField(help_text='in its one form: house.rules.cards', max_length=32, unique=True),
        ),
        migrations.AddConstraint(
            model_name='playercard',
            constraint=models.CheckConstraint(condition=models.Q(('number__regex', '^[A-Z0-9][A-Z0-9-]{0,31}$')), name='house_playercard_one_form'),
        ),
    ]
