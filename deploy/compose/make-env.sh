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
POSTGRES_PASSWORD=$(secret)
STORAGE_PASSWORD=$(secret)
AUTH_SECRET=$(secret)
# Keep a copy elsewhere: without it, stored credentials cannot be read.
ENCRYPTION_KEY=$(secret)
# Providers and models, see .env.example.
END
echo "Wrote .env. Keep a copy of ENCRYPTION_KEY elsewhere."
