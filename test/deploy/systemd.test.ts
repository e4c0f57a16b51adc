import assert from 'node:assert/strict'
import {readFile} from 'node:fs/promises'
import {test} from 'node:test'
import {readServiceSettings} from '../../service/settings.ts'
import {projectFile} from './support/files.ts'

test('the systemd unit starts a process per port of the nginx example, each with its own snapshots', async () => {
  const unit = await readFile(projectFile('deploy/systemd/handrail@.service'), 'utf8')
  const nginx = await readFile(projectFile('deploy/nginx/handrail.conf'), 'utf8')
  const groups = [...nginx.matchAll(/^upstream [^}]+/gm)].map(([group]) =>
    [...group.matchAll(/^ {4}server 127\.0\.0\.1:(\d+)/gm)].map(([, port = '']) => port),
  )
  const [ports = [], ...others] = groups
  assert.deepEqual(others, [ports], 'the groups of the example have the same replicas')
  assert.ok(ports.length > 1)
  assert.ok(unit.includes(`systemctl enable --now ${ports.map((port) => `handrail@${port}`).join(' ')}\n`))

  const settings = ports.map((port) => {
    const lines = unit.replaceAll('%i', port).matchAll(/^Environment=(\w+)=(.*)$/gm)
    return readServiceSettings(Object.fromEntries([...lines].map(([, name, value]) => [name, value])))
  })
  assert.deepEqual(
    settings.map(({port}) => String(port)),
    ports,
  )
  assert.equal(new Set(settings.map(({snapshotDir}) => snapshotDir)).size, ports.length)
  const [first] = settings
  assert.deepEqual([first?.redisUrl, first?.trustedProxies], ['redis://127.0.0.1:6379', ['loopback']])
  const [, stop = ''] = /^TimeoutStopSec=(\d+)$/m.exec(unit) ?? []
  assert.ok(Number(stop) >= (first?.drainSeconds ?? Number.NaN) + 10)
})
