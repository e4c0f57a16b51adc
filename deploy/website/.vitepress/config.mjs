import {readFileSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {defineConfig} from 'vitepress'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

/** GitHub sets it in workflows. */
const {GITHUB_REPOSITORY = 'OWNER/handrail'} = process.env
const REPOSITORY = `https://github.com/${GITHUB_REPOSITORY}`

/** The groups of llms.txt, which lists every guide. */
const [, ...groups] = readFileSync(join(ROOT, 'llms.txt'), 'utf8').split(/^## /m)
const sidebar = groups.map((group) => ({
  text: group.slice(0, group.indexOf('\n')),
  collapsed: false,
  items: Array.from(group.matchAll(/^- \[(.+)\]\((.+)\.md\)/gm), ([, text, page]) => ({
    text,
    link: `/${page}`,
  })),
}))

/** Files of the project that are not pages are read at the repository. */
function linkFiles(markdown) {
  markdown.core.ruler.push('files', ({tokens, env}) => {
    for (const token of tokens.flatMap(({children}) => children ?? [])) {
      const href = token.type === 'link_open' ? token.attrGet('href') : '#'
      if (!/^(?:\w+:|#)/.test(href) && !/\.md(?:#|$)/.test(href))
        token.attrSet('href', `${REPOSITORY}/blob/main/${join(dirname(env.relativePath), href)}`)
    }
  })
}

export default defineConfig({
  title: 'Handrail',
  description: 'The tools that your website offers to AI agents, edited in Sanity Studio, versioned in Git',
  base: process.env.GITHUB_ACTIONS ? `/${GITHUB_REPOSITORY.split('/')[1]}/` : '/',
  srcDir: ROOT,
  // The pages are README.md, docs/ and what they link to.
  srcExclude: ['{.github,.handrail,deploy,examples,studio,test}/**', 'AGENTS.md'],
  rewrites: {'README.md': 'index.md'},
  outDir: join(ROOT, '.handrail/website'),
  ignoreDeadLinks: 'localhostLinks',
  markdown: {config: linkFiles},
  // Examples have the braces of other languages.
  vue: {template: {compilerOptions: {delimiters: ['{%%', '%%}']}}},
  // The pages import it, and are outside of this folder.
  vite: {ssr: {external: ['vue', 'vue/server-renderer']}, esbuild: {tsconfigRaw: {}}},
  themeConfig: {
    sidebar,
    outline: 'deep',
    search: {provider: 'local'},
    socialLinks: [{icon: 'github', link: REPOSITORY}],
  },
})
