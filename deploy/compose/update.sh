#!/bin/sh
# Brings the service to what is checked out and to what .env says: migrates, and replaces web and
# worker while containers of the new kind beside them serve. Where those do not become ready, the
# old ones go on. Needs Compose v2.
#   git pull && sh deploy/compose/update.sh
set -eu
cd "$(dirname "$0")/../.."
ready="up --detach --no-deps --wait --wait-timeout ${TOLLGATE_WAIT_S:-180}"
if docker compose config migrate | grep -q 'pull_policy: never'; then
  docker compose build migrate
else
  docker compose pull migrate
fi
docker compose run --rm migrate
for part in web worker; do
  if ! docker compose $ready "$part-next"; then
    docker compose logs --tail 5 "$part-next"
    docker compose rm --stop --force "$part-next"
    echo "The new containers of $part do not become ready: the old ones go on." >&2
    exit 1
  fi
  # Both serve: the moment for a Caddyfile that has changed.
  docker compose exec -T proxy caddy reload --config /etc/caddy/Caddyfile
  docker compose stop "$part"
  docker compose $ready "$part"
  docker compose rm --stop --force "$part-next"
done
docker compose up --detach --no-deps nightly
