#!/usr/bin/env node
// The command `handrail` of the npm package.
import '../../../common/requireNode.mjs'
import manifest from '../../../package.json' with {type: 'json'}

const HELP = `Usage: handrail [COMMAND]

Manages the tools that a website offers to AI agents. Without a command, it starts Studio, the service that pages ask for
their tools, and a demo shop. Content and state are in the folder .handrail of the current directory.

Commands:
  start         Studio, the lake that stores its content in Git, the service and the demo shop (default)
  lake          Studio and the lake only; "lake --help" lists commands for people, tokens and backups
  service       the service only
  content       checks, compares, tests and moves content; "content --help" lists its commands

Options:
  --help        prints this text
  --version     prints the version

Settings are environment variables, such as PORT (3000), LAKE_PORT (3333), SHOP_PORT (3001) and CONTENT_DIR.
`

const PROGRAMS = {
  start: () => import('../../../start.ts'),
  lake: () => import('../../../lake/main.ts'),
  service: () => import('../../../service/main.ts'),
  content: () => import('../../../cli/content.mjs'),
}

const [name = 'start', ...words] = process.argv.slice(2)
const takesWords = name === 'lake' || name === 'content'
if (['help', '--help', '-h'].includes(name) || (!takesWords && words.includes('--help'))) {
  process.stdout.write(HELP)
} else if (name === '--version') {
  console.log(manifest.version)
} else if (!Object.hasOwn(PROGRAMS, name) || (!takesWords && words.length > 0)) {
  const [unknown] = Object.hasOwn(PROGRAMS, name) ? words : [name]
  process.stderr.write(`handrail: "${unknown}" is not known here.\n\n${HELP}`)
  process.exitCode = 2
} else {
  // The programs read their own words.
  process.argv.splice(2, 1)
  await PROGRAMS[name]()
}
