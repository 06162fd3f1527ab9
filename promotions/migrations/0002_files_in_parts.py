"""Files of entries wait in parts, as COPY reads them; of their rows only those that were refused have one of their own."""

import django.db.models.deletion
from django.db import migrations, models

# In the form of promotions.import_rows. What waits at this moment goes on waiting.
_ESCAPED = r"replace(replace(replace(replace({0}, '\', '\\'), chr(9), '\t'), chr(10), '\n'), chr(13), '\r')"
_WAITING = ", ".join(
    f"coalesce({_ESCAPED.format(f'nullif({column}, {empty})')}, '\\N')"
    for column, empty in (
        ("identity", "''"),
        ("reference", "NULL"),
        ("NULL::text", "''"),
        ("wagered::text", "''"),
        ("name", "NULL"),
        ("address", "NULL"),
        ("telephone", "NULL"),
        ("email", "NULL"),
    )
)
FORWARDS = f"""
    CREATE TABLE promotions_importpart (
        of_id bigint NOT NULL, place integer NOT NULL, rows bytea NOT NULL, PRIMARY KEY (of_id, place)
    );
    -- Not compressed: it is there for seconds.
    ALTER TABLE promotions_importpart ALTER COLUMN rows SET STORAGE EXTERNAL;
    INSERT INTO promotions_importpart (of_id, place, rows)
    SELECT of_id, min(line), convert_to(string_agg(concat_ws(chr(9), line, {_WAITING}) || chr(10), '' ORDER BY line), 'UTF8')
    FROM promotions_importrow WHERE error = '' GROUP BY of_id, line / 20000;
    DELETE FROM promotions_importrow WHERE error = '';
    ALTER TABLE promotions_importrow
        DROP CONSTRAINT promotions_importrow_pkey, DROP CONSTRAINT promotions_importrow_line, DROP COLUMN id,
        DROP COLUMN identity, DROP COLUMN name, DROP COLUMN address, DROP COLUMN telephone, DROP COLUMN email,
        DROP COLUMN wagered, ADD PRIMARY KEY (of_id, line);
    DROP FUNCTION promotions_analyze_import();
"""  # noqa: S608  only our own text is put together


def of_import(related_name):
    return models.ForeignKey(
        db_constraint=False,
        db_index=False,
        on_delete=django.db.models.deletion.CASCADE,
        related_name=related_name,
        to="promotions.import",
    )


class Migration(migrations.Migration):
    dependencies = [("promotions", "0001_initial")]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[migrations.RunSQL(FORWARDS)],
            state_operations=[
                migrations.DeleteModel(name="ImportRow"),
                migrations.CreateModel(
                    name="ImportRow",
                    fields=[
                        (
                            "pk",
                            models.CompositePrimaryKey(
                                "of_id", "line", blank=True, editable=False, primary_key=True, serialize=False
                            ),
                        ),
                        ("of", of_import("rows")),
                        ("line", models.IntegerField(help_text="in the file, from 1, its heading counted")),
                        ("reference", models.TextField(blank=True)),
                        ("error", models.TextField()),
                    ],
                ),
                migrations.CreateModel(
                    name="ImportPart",
                    fields=[
                        (
                            "pk",
                            models.CompositePrimaryKey(
                                "of_id", "place", blank=True, editable=False, primary_key=True, serialize=False
                            ),
                        ),
                        ("of", of_import("parts")),
                        ("place", models.IntegerField(help_text="in the file, from 0")),
                        ("rows", models.BinaryField()),
                    ],
                ),
            ],
        ),
    ]
