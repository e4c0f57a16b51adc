/**
 * The `.gitignore` of a content repository. Tests of tools need passwords and sessions of visitors, and what they leave
 * has them, too. Everything else that starts with a dot, such as `.schema`, is committed.
 */
export const GITIGNORE = `# Passwords, sessions, and what tests leave: never commit them
.env
.env.*
*storage-state*.json
*storageState*.json
.auth/
*.pem
*.key
playwright-report/
test-results/
node_modules/
`
