import assert from 'node:assert/strict'
import {readFile, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {test} from 'node:test'
import {temporaryFolder} from '../../lake/support/git.ts'
import {eventually} from '../../support/eventually.ts'
import {runHouse} from '../../support/house.ts'
import {startNginx} from '../../support/network/nginx.ts'
import {freePort} from '../../support/network/ports.ts'
import {siteDocument, toolDocument} from '../../support/shop.ts'
import {projectFile} from '../support/files.ts'

test('nginx includes the config of a page in its file, as the guide says', async (t) => {
  // So long that browsers get it compressed.
  const description = `Hats </script>${' and hats'.repeat(300)}`
  const house = await runHouse(t, [siteDocument(), toolDocument({description, pathPattern: '/hats.html'})])
  const config = await eventually(
    async () => (await house.config('shop-public', '/hats.html')).text(),
    (text) => text.includes('Hats'),
  )
  const guide = await readFile(projectFile('docs/in-the-html.md'), 'utf8')
  const [, lines = '', element = ''] = guide.match(/```nginx\n([\s\S]*?)```\n\n```html\n(.*)\n/) ?? []
  const root = await temporaryFolder(t)
  await writeFile(join(root, 'hats.html'), element.replace('PUBLIC_ID', 'shop-public'))
  const port = await freePort()
  const server = lines
    .replace('server {', `server {\n  listen 127.0.0.1:${port};\n  root ${root};`)
    .replace('https://tools.example', house.serviceAddress)
    .replace('PUBLIC_ID', 'shop-public')
  const upstream = 'upstream handrail_lake {'
  const nginx = await startNginx({services: [], lake: 1, changes: {[upstream]: `${server}\n${upstream}`}})
  t.after(() => nginx.close())

  const page = await (await fetch(`http://127.0.0.1:${port}/hats.html?size=7`)).text()
  const [, path, json = ''] = page.match(/data-path="([^"]*)">(.*?)<\/script>$/) ?? []
  assert.equal(path, '/hats.html')
  assert.equal(json, config)
  assert.equal((await fetch(`http://127.0.0.1:${port}/tools`)).status, 404)
})
