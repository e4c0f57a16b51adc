// Every entry point loads this first, so that an older Node says what is wrong before it meets TypeScript.

/** The first version that has everything: TypeScript without a flag, `node:sqlite`, `AsyncDisposableStack`. */
const NEEDED = 24

const {versions, version, exit} = process
if (Number(versions.node.split('.')[0]) < NEEDED) {
  console.error(
    `Handrail needs Node ${NEEDED}, and this is ${version}. "npm ci" installs it: use npm's scripts, such as "npm start", or node_modules/.bin/node.`,
  )
  exit(1)
}
