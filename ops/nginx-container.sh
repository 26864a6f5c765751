#!/bin/sh
# Turns ops/nginx.conf into the site of the nginx container and starts it. Needs APP_URL and a certificate in /certificates.
set -eu

case ${APP_URL:-} in
https://*) name=${APP_URL#https://} name=${name%%[:/]*} ;;
*) echo 'Set APP_URL to the address that browsers use, for example https://interviews.example.com' >&2; exit 1 ;;
esac
for file in fullchain.pem privkey.pem; do
  [ -r "${CERTIFICATES:=/certificates}/$file" ] || { echo "$CERTIFICATES/$file is missing. See docs/operations.md" >&2; exit 1; }
done

# The interview product calls the service inside the network, so its own server block isn't needed.
sed -e '/^# For the interview product only/,$d' \
    -e "s/interviews\.example\.com/$name/" \
    -e "s#/etc/letsencrypt/live/[^/]*#$CERTIFICATES#" \
    -e "s/server 127\.0\.0\.1:3000/server ${SERVICE:-service:3000}/" \
    -e 's#/var/log/nginx/partner-interview\.log#/dev/stdout#' \
    -e 's#/var/log/nginx/partner-interview-error\.log#/dev/stderr#' \
    /ops/nginx.conf >/etc/nginx/conf.d/default.conf
exec nginx -g 'daemon off;'
