#!/bin/bash
# Runs the tests of tools (docs/tool-tests.md) on the website BASE_URL, if there is one, and adds the results to files of Markdown:
# run-tests.sh DIRECTORY FILE…. TEST_OPTIONS has more options of "content test". Playwright and Chromium are installed if missing.
set -eo pipefail
[ -n "${BASE_URL:-}" ] || exit 0
root=$(cd "$(dirname "$0")/../.." && pwd)
directory=$1
shift
read -ra options <<< "${TEST_OPTIONS:-}"

if ! node -e 'require.resolve("@playwright/test", {paths: [process.argv[1]]})' "$root" 2> /dev/null; then
  version=$(node -p 'const m = require(process.argv[1]); ({...m.devDependencies, ...m.peerDependencies})["@playwright/test"]' "$root/package.json")
  (cd "$root" && npm install --no-save --save-prod --omit=dev --ignore-scripts --no-audit --no-fund "@playwright/test@$version")
fi
if [ -z "${CHROMIUM:-}" ] && ! { type -P google-chrome || type -P chromium || type -P chromium-headless-shell; } > /dev/null; then
  (cd "$root" && npx playwright install --with-deps chromium)
fi

code=0
output=$(node "$root/cli/content.mjs" test --base-url "$BASE_URL" "${options[@]}" -- "$directory" 2>&1) || code=$?
printf '%s\n' "$output"
# Indented lines are code, which no text of the content or the website can end.
printf '\n### Tests of tools\n\n%s\n' "$(grep -v '^::' <<< "$output" | sed 's/^/    /')" | tee -a "$@" > /dev/null
exit "$code"
