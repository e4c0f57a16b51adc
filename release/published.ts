import {readFile, writeFile} from 'node:fs/promises'
import {join} from 'node:path'

/**
 * What documents and recipes say while npm has no package of ours, and what they say from then on. Before somebody has reserved the names, a line
 * that installs or runs one would run what a stranger publishes.
 */
const WORDS: readonly (readonly [unpublished: string, published: string, ...files: string[]])[] = [
  [
    './handrail-0.2.0.tgz',
    'handrail',
    'README.md',
    'docs/getting-started.md',
    'deploy/packages/handrail/README.md',
  ],
  [
    './handrail-content-0.2.0.tgz',
    '@handrail/content',
    'README.md',
    'docs/content-check.md',
    'docs/content-ci.md',
    'docs/git.md',
    'deploy/packages/content/README.md',
  ],
  ['`npm run pack` in a clone makes the tarballs in `.handrail/packages`. ', '', 'README.md'],
  [
    '`npm run pack` there makes the tarball in `.handrail/packages`; next to it, ',
    '',
    'docs/getting-started.md',
  ],
  [
    'ask the person for its tarball. Never install it from a registry or run it with `npx`: a stranger could have its name there.',
    'install it with `npm install --global @handrail/content`.',
    'examples/shop/content/AGENTS.md',
  ],
  [
    'name its tarball, which `npm run pack` makes, with `package`.',
    'that of their own version, or what you name with `package`.',
    'docs/content-ci.md',
  ],
  [
    'The package @handrail/content to install, by the path or address of its tarball\n    required: true',
    "The package @handrail/content to install, as npm names it. Empty, it is the version of this action.\n    default: ''",
    'deploy/ci/action.yml',
  ],
  [':?names no tarball, set the input \\"package\\"}', ':-@handrail/content@0.2.0}', 'deploy/ci/action.yml'],
  [':?names no tarball, set this variable}', ':-@handrail/content@0.2.0}', 'deploy/ci/gitlab.yml'],
]

/**
 * Whether documents and recipes name npm's packages.
 * @throws Error for a text that has none of both forms, or another form than the others
 */
export function arePublished(read: (file: string) => string): boolean {
  const forms = WORDS.flatMap(([unpublished, published, ...files]) =>
    files.map((file) => {
      const text = read(file)
      if (!text.includes(unpublished) && !text.includes(published))
        throw new Error(`${file} says neither “${unpublished}” nor “${published}”.`)
      return !text.includes(unpublished)
    }),
  )
  if (new Set(forms).size > 1)
    throw new Error('Some documents and recipes name packages of npm, and some tarballs.')
  return forms[0] ?? false
}

/** Writes the names of npm's packages into every document and recipe. */
export async function namePublished(root: string): Promise<void> {
  for (const [unpublished, published, ...files] of WORDS)
    for (const file of files) {
      const path = join(root, file)
      await writeFile(path, (await readFile(path, 'utf8')).replaceAll(unpublished, published))
    }
}
