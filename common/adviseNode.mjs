// Runs when npm installs the project: one line about an old Node, in place of a warning for each package (see .npmrc).

/** As `engines` of package.json says. */
const [MAJOR, MINOR] = [22, 12]

// `node` is the one in node_modules, if it is there already. npm tells which one runs npm.
const [, major = '', minor = ''] = / node\/v(\d+)\.(\d+)/.exec(process.env.npm_config_user_agent ?? '') ?? []
if (major !== '' && (Number(major) < MAJOR || (Number(major) === MAJOR && Number(minor) < MINOR)))
  console.log(
    `Node ${major}.${minor} is old: if this installation fails, install Node ${MAJOR}.${MINOR} or newer. Handrail itself runs on the Node that it installs.`,
  )
