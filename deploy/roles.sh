#!/bin/sh
# The three roles of the database (docs/separation.md), when it is made. None of them is its superuser.
set -eu
psql --set=ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" \
    --set=owner="$OWNER_PASSWORD" --set=runtime="$RUNTIME_PASSWORD" --set=sealer="$SEALER_PASSWORD" <<'SQL'
CREATE ROLE meterhouse LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION PASSWORD :'owner';
CREATE ROLE meterhouse_runtime LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION PASSWORD :'runtime';
CREATE ROLE meterhouse_sealer LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION PASSWORD :'sealer';
SELECT format('ALTER DATABASE %I OWNER TO meterhouse', current_database()) \gexec
ALTER SCHEMA public OWNER TO meterhouse;
SQL
