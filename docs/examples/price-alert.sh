#!/usr/bin/env bash
# Says when a coin's price is above a limit: for cron, with curl and jq-free parsing by sed.
#
#   TOLLGATE_KEY=tg_… ./price-alert.sh bitcoin 100000
#
# One line on standard output for an alert, nothing otherwise; exit 1 where the price is not known.
# A run within the same minute is the same call, so a job that is started twice is charged once.
set -euo pipefail

coin=${1:?Usage: price-alert.sh COIN LIMIT}
limit=${2:?Usage: price-alert.sh COIN LIMIT}
url=${TOLLGATE_URL:-http://localhost:3000}

for attempt in 1 2 3 4; do
  answer=$(curl -s -w '\n%{http_code}' "$url/api/v1/query" \
    -H "Authorization: Bearer $TOLLGATE_KEY" -H "Content-Type: application/json" \
    -H "Idempotency-Key: alert-$coin-$(date -u +%Y%m%d%H%M)-$attempt" \
    -d "{\"tool\": \"crypto_get_prices\", \"params\": {\"coinIds\": [\"$coin\"]}}") || answer=$'\n000'
  status=${answer##*$'\n'}
  body=${answer%$'\n'*}
  [ "$status" = 200 ] && break
  # What is not retryable does not get better: a wrong coin, no credits, a key that may not.
  if [ "$status" != 000 ] && ! grep -q '"retryable":true' <<< "$body"; then break; fi
  sleep $((attempt * 2))
done

if [ "$status" != 200 ]; then
  echo "No price ($status): $body" >&2
  exit 1
fi
price=$(sed -n 's/.*"usd":{"price":\([0-9.eE+-]*\).*/\1/p' <<< "$body")
if [ -z "$price" ]; then
  echo "There is no price of $coin: $body" >&2
  exit 1
fi
awk -v price="$price" -v limit="$limit" -v coin="$coin" \
  'BEGIN { if (price + 0 > limit + 0) printf "%s costs %s USD, more than %s\n", coin, price, limit }'
