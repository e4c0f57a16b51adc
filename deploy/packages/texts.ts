import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {ROOT} from './parts.ts'

/** What messages say to do in a clone of the project, and what to do with a package instead. */
const ADVICE: readonly (readonly [clone: string, packaged: string])[] = [
  ['npm run lake -- ', 'handrail lake '],
  ['npm run content -- ', 'handrail content '],
  [
    '"npm ci" installs it: use npm\'s scripts, such as "npm start", or node_modules/.bin/node.',
    'Install it from https://nodejs.org.',
  ],
]

/** The text of a source file of the project, with the advice for users of a package. */
export function sourceText(file: string): string {
  return withAdvice(readFileSync(join(ROOT, file), 'utf8'))
}

/** A text with the advice for users of a package. */
export function withAdvice(text: string): string {
  return ADVICE.reduce((changed, [clone, packaged]) => changed.replaceAll(clone, packaged), text)
}
