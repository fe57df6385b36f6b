#!/bin/sh
# Run once by the image of PostgreSQL, for an empty volume: the role and the database of the service, and
# one for drills.
set -eu
psql --username postgres --set ON_ERROR_STOP=1 --set password="$DATABASE_PASSWORD" <<'END'
CREATE ROLE tollgate LOGIN PASSWORD :'password';
CREATE DATABASE tollgate OWNER tollgate;
CREATE DATABASE tollgate_drill OWNER tollgate;
END
