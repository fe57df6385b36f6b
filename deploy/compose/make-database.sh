#!/bin/sh
# Run once by the image of PostgreSQL, for an empty volume: the role and the database of the service.
set -eu
psql --username postgres --set ON_ERROR_STOP=1 --set password="$DATABASE_PASSWORD" <<'END'
CREATE ROLE tollgate LOGIN PASSWORD :'password';
CREATE DATABASE tollgate OWNER tollgate;
END
