#!/bin/sh
# Writes .env with new secrets for compose.yaml, once: an existing file stays as it is.
#   sh deploy/compose/make-env.sh [host name, localhost by default]
set -eu
cd "$(dirname "$0")/../.."
if [ -e .env ]; then
  echo "There is an .env already: it stays as it is." >&2
  exit 0
fi
secret() { od -An -N32 -tx1 /dev/urandom | tr -d ' \n'; }
umask 077
cat > .env <<END
TOLLGATE_HOST=${1:-localhost}
DATABASE_PASSWORD=$(secret)
# Of the database's superuser, whom nothing uses but PostgreSQL's own container.
POSTGRES_PASSWORD=$(secret)
STORAGE_PASSWORD=$(secret)
AUTH_SECRET=$(secret)
# Keep a copy elsewhere: without it, stored credentials cannot be read.
ENCRYPTION_KEY=$(secret)
METRICS_TOKEN=$(secret)
# Keys of providers, and other settings: see .env.example. The models are in the volume config.
END
echo "Wrote .env. Keep a copy of ENCRYPTION_KEY elsewhere."
