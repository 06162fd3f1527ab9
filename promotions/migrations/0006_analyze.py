"""ANALYZE is the owner's; an import, which works as a role that owns nothing, may have it done to its own tables."""

from django.db import migrations

_FUNCTION = """
    CREATE FUNCTION {name}() RETURNS void LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, public, pg_temp AS $$ BEGIN ANALYZE {tables}; END $$
"""
FUNCTIONS = {
    "promotions_analyze_import": "promotions_importrow",
    "promotions_analyze_entries": "promotions_entrant, promotions_entry",
}


class Migration(migrations.Migration):
    dependencies = [("promotions", "0005_encrypted_seed")]

    operations = [
        migrations.RunSQL(_FUNCTION.format(name=name, tables=tables), f"DROP FUNCTION {name}()")
        for name, tables in FUNCTIONS.items()
    ]
