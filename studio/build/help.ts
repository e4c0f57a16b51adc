import {copyFile, mkdir, readFile, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {Marked, Renderer, type Tokens} from 'marked'
import {HELP_PAGES, HELP_PATH, HOSTED_HELP_PATH} from '../helpPages.ts'

/** Pages that only those who have the repository can open, and addresses of mail in examples. */
const NOT_LINKED = /^(?:\.\.\/|decisions\/|[\w-]+\.md|mailto:)/

/**
 * Renders the guides for editors, which the lake serves with Studio, as HTML without scripts.
 * @param docs the folder with the guides
 * @param output the folder to write to
 */
export async function buildHelp(docs: string, output: string): Promise<void> {
  await mkdir(output, {recursive: true})
  for (const {name} of HELP_PAGES) {
    const text = await readFile(join(docs, `${name}.md`), 'utf8')
    await writeIfChanged(join(output, `${name}.html`), render(text))
    await copyPictures(text, docs, output)
  }
  await writeIfChanged(join(output, 'index.html'), index())
}

/** Adds the guides as whole pages to a Studio of hosted Sanity, where no lake serves them. */
export function hostedHelp(docs: string) {
  let output = ''
  return {
    name: 'hosted-help',
    configResolved: ({build}: {build: {outDir: string}}) => {
      output = join(build.outDir, HOSTED_HELP_PATH)
    },
    async closeBundle() {
      await mkdir(output, {recursive: true})
      for (const {name, title} of HELP_PAGES) {
        const text = await readFile(join(docs, `${name}.md`), 'utf8')
        const body = render(text).replaceAll(
          /(href|src)="\/help\/([\w-]+)/g,
          (_, attribute: string, file: string) =>
            `${attribute}="${file}${attribute === 'href' ? '.html' : ''}`,
        )
        await writeFile(join(output, `${name}.html`), wholePage(title, body))
        await copyPictures(text, docs, output)
      }
    },
  }
}

function wholePage(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escaped(title)}</title>
<style>body {max-width: 52rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui; color-scheme: light dark} img {max-width: 100%} .scroll, pre {overflow-x: auto}</style>
${body}</html>
`
}

const PICTURES = /!\[[^\]]*\]\(([\w-]+\.png)\)/g

async function copyPictures(markdown: string, docs: string, output: string): Promise<void> {
  for (const [, file = ''] of markdown.matchAll(PICTURES))
    await copyFile(join(docs, file), join(output, file))
}

/** The content of a page, without its head. */
export function render(markdown: string): string {
  const slugs = new Set<string>()
  const marked = new Marked({
    renderer: {
      heading({tokens, depth}: Tokens.Heading) {
        const text = this.parser.parseInline(tokens)
        return `<h${depth} id="${escaped(slugOf(text, slugs))}">${text}</h${depth}>\n`
      },
      link({href, tokens}: Tokens.Link) {
        const text = this.parser.parseInline(tokens)
        const target = targetOf(href)
        if (target === undefined) return text
        const isElsewhere = /^https?:/.test(target)
        return `<a href="${escaped(target)}"${isElsewhere ? ' rel="noreferrer"' : ''}>${text}</a>`
      },
      // A wide table scrolls, and the keyboard must reach it to do so.
      table(token: Tokens.Table) {
        const table = Renderer.prototype.table.call(this, token)
        return `<div class="scroll" role="group" aria-label="Table" tabindex="0">${table}</div>\n`
      },
      code({text}: Tokens.Code) {
        return `<pre tabindex="0"><code>${escaped(text)}</code></pre>\n`
      },
      image: ({href, text}: Tokens.Image) =>
        `<img alt="${escaped(text)}" loading="lazy" src="${escaped(`${HELP_PATH}/${href}`)}">`,
    },
  })
  return marked.parse(markdown, {async: false})
}

/** Where a link leads; undefined for a page that editors cannot open, whose text stays without a link. */
function targetOf(href: string): string | undefined {
  if (/^(?:https?:|#)/.test(href)) return href
  const [, name = '', anchor = ''] = /^([\w-]+)\.md(#.*)?$/.exec(href) ?? []
  if (HELP_PAGES.some((page) => page.name === name)) return `${HELP_PATH}/${name}${anchor}`
  if (NOT_LINKED.test(href)) return undefined
  throw new Error(`The guides cannot link to ${href}`)
}

function index(): string {
  const entries = HELP_PAGES.map(
    ({name, title, about}) =>
      `<li><a href="${HELP_PATH}/${name}">${escaped(title)}</a>: ${escaped(about)}</li>`,
  )
  return `<h1>Help</h1>\n<ul>\n${entries.join('\n')}\n</ul>\n`
}

/** The anchor of a heading, as GitHub makes it. */
function slugOf(html: string, taken: Set<string>): string {
  const slug = html
    .replaceAll(/<[^>]*>|&\w+;|&#\d+;/g, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
  let unique = slug
  for (let copy = 1; taken.has(unique); copy += 1) unique = `${slug}-${copy}`
  taken.add(unique)
  return unique
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

async function writeIfChanged(path: string, content: string): Promise<void> {
  const before = await readFile(path, 'utf8').catch(() => undefined)
  if (before !== content) await writeFile(path, content)
}
