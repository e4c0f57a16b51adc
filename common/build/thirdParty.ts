import {readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {isJsonObject} from '../json.ts'

/** Greedy, so that it finds the innermost package. Both separators, for Windows. */
const PACKAGE_FOLDER = /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+(?=[\\/])/

/** Files with a license, or with what a license asks to be kept with it. */
const NOTICE_FILE = /^(?:licen[cs]e|copying|notice|unlicense)(?:[.-]|$)/i

/** The section of a readme that has a license with its copyright. */
const LICENSE_SECTION = /(?:^|\n)#+ *licen[cs]e *\n+(copyright (?:(?!\n#).)*)/is

const LINE = '-'.repeat(80)

/**
 * The notices of all packages that a bundle contains, as their licenses ask for with every copy.
 * @param modules the modules of the bundle, as absolute paths or as Rollup names them. Those that are in no package are
 * ignored.
 * @throws Error that names a package whose license is not known
 */
export function thirdPartyNotices(modules: Iterable<string>): string {
  const folders = new Set([...modules].flatMap((id) => PACKAGE_FOLDER.exec(pathOf(id))?.[0] ?? []))
  // A package may be installed in several places.
  const notices = new Map([...folders].map(noticeOf))
  const names = [...notices.keys()].sort()
  return [
    'This file has the licenses of the packages that are contained in these scripts.',
    ...names.map((name) => `${LINE}\n${name}\n${LINE}\n\n${notices.get(name)}`),
  ].join('\n\n')
}

/** Rollup marks modules of plugins with a NUL, and appends what a plugin is asked for. */
function pathOf(id: string): string {
  return id.replace(/^\0/, '').replace(/\?.*$/s, '')
}

function noticeOf(folder: string): [name: string, notice: string] {
  const manifest: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const {name, version, license, author, homepage} = isJsonObject(manifest) ? manifest : {}
  const title = `${String(name)} ${String(version)}${typeof license === 'string' ? ` (${license})` : ''}`
  const files = readdirSync(folder, {withFileTypes: true}).filter(
    (entry) => entry.isFile() && NOTICE_FILE.test(entry.name),
  )
  const texts = files.map((entry) => readFileSync(join(folder, entry.name), 'utf8').trim()).filter(Boolean)
  if (texts.length > 0) return [title, texts.join('\n\n')]
  const section = LICENSE_SECTION.exec(readmeIn(folder))?.[1]
  if (section !== undefined) return [title, section.trim()]
  const text = STANDARD_TEXTS[String(license)]
  if (text === undefined)
    throw new Error(
      `The package ${title} in ${folder} has no license file, and the text of its license is not known: look for its terms before you bundle it.`,
    )
  const holder = authorIn(author) ?? `the authors of ${String(name)}`
  const place = typeof homepage === 'string' ? ` (${homepage})` : ''
  return [title, `${license === 'Public Domain' ? 'By' : 'Copyright (c)'} ${holder}${place}\n\n${text}`]
}

function readmeIn(folder: string): string {
  const name = readdirSync(folder).find((file) => /^readme\.md$/i.test(file))
  return name === undefined ? '' : readFileSync(join(folder, name), 'utf8')
}

function authorIn(author: unknown): string | undefined {
  const name = isJsonObject(author) ? author.name : author
  return typeof name === 'string' && name !== '' ? name : undefined
}

/** For packages that only name their license (https://spdx.org/licenses/). */
const STANDARD_TEXTS: Readonly<Record<string, string>> = {
  MIT: `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`,
  'Public Domain': 'Its author gave it to the public domain, without conditions.',
  ISC: `Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby
granted, provided that the above copyright notice and this permission notice appear in all copies.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH REGARD TO THIS SOFTWARE INCLUDING ALL
IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT,
INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN AN
ACTION OF CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF
THIS SOFTWARE.`,
}
