import {execFile} from 'node:child_process'
import {appendFile, readFile, writeFile} from 'node:fs/promises'
import {setTimeout} from 'node:timers/promises'
import {promisify} from 'node:util'
import {buildSnippet} from '../../../snippet/build/build.ts'
import {hold, Violation} from '../../soak/violation.ts'
import {eventually} from '../../support/eventually.ts'
import {siteDocument, toolDocument} from '../../support/shop.ts'
import {trialToken} from '../../support/trialToken.ts'
import {bringStudio} from '../support/studio.ts'
import {askUntil} from './load.ts'
import {blockOf, commandOf, commandsOfRow, systemdBlockOf} from './pages.ts'
import {BOTH, NEW, OLD, sharesLimits, startReceiver, tryAtLake, tryAtService} from './secrets.ts'

// Runs as root on a machine of its own, and follows the pages for operators on it, from nothing on. Prints the number of
// requests that visitors sent meanwhile. `node operate.ts [CRASHES]`.
const [, , crashes = '1'] = process.argv
const LAKE_COMMAND = '/opt/handrail/deploy/systemd/handrail-lake-command'
const CERTIFICATE = '/etc/nginx/tls/fullchain.pem'
const MIGRATIONS = '/opt/handrail/content/state/migrations.ts'
const PORTS = [3000, 3001] as const
const LAKE_PORT = 3333

/** Milliseconds of load before the first incident and after the last one. */
const PAUSE = 500

/** Addresses of this machine and of a second one, which is a network of its own here, and the port of its replica. */
const [FIRST, SECOND] = ['10.99.0.1', '10.99.0.2']
const SECOND_PORT = 3002

const REDIS_NEW = 'new-password'

/** Lake and commands start dozens of times: what Node compiled is kept. */
const COMPILED = {NODE_COMPILE_CACHE: '/var/lib/handrail-lake/compiled'}

const SITE = [
  siteDocument({_id: 'harbour', publicId: 'harbour-public'}),
  toolDocument({_id: 'find', site: {_ref: 'harbour', _type: 'reference'}}),
]

type Settings = Readonly<Record<string, string>>

const receiver = await startReceiver()
try {
  await prepare()
  await install()
  const stop = new AbortController()
  const {hash} = await buildSnippet()
  const site = 'https://tools.example.com'
  const urls = {config: `${site}/api/sites/harbour-public/config`, snippet: `${site}/snippet.${hash}.js`}
  const asking = askUntil(urls, await readFile(CERTIFICATE, 'utf8'), stop.signal)
  // The load ends early only if it fails.
  asking.catch(() => stop.abort())
  try {
    await setTimeout(PAUSE) // load before the first incident
    const repeated = Array.from({length: Number(crashes)}, () => crash)
    for (const incident of [
      addMachine,
      loseContent,
      ...repeated,
      upgradeWithNewSecrets,
      goBack,
      loseTheLake,
    ]) {
      if (stop.signal.aborted) break
      const began = performance.now()
      await incident()
      console.error(`${incident.name}: ${Math.round(performance.now() - began)} ms`)
    }
    await setTimeout(PAUSE) // load after the last one
  } finally {
    stop.abort()
  }
  console.log(await asking)
} catch (error) {
  console.error(error)
  console.error(
    await sh('journalctl --no-pager --lines=60 --output=cat; tail -n 20 /var/log/nginx/error.log'),
  )
  process.exitCode = 1
} finally {
  receiver.close()
}

/** What the pages expect: names, a certificate, running programs, and a Git host. */
async function prepare(): Promise<void> {
  await appendFile('/etc/hosts', `\n${FIRST} lake.example.com tools.example.com\n`)
  await sh(`
    ip netns add second
    ip link add first type veth peer name eth0 netns second
    ip address add ${FIRST}/24 dev first && ip link set first up
    ip -n second address add ${SECOND}/24 dev eth0 && ip -n second link set eth0 up && ip -n second link set lo up
    mkdir -p /etc/nginx/tls /srv
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=example.com \\
      -addext subjectAltName=DNS:lake.example.com,DNS:tools.example.com \\
      -keyout /etc/nginx/tls/privkey.pem -out ${CERTIFICATE} 2>/dev/null
    rm -f /etc/nginx/sites-enabled/*
    git init --quiet --bare --initial-branch=main /srv/content.git
    systemd-run --quiet --unit=git-host git daemon --base-path=/srv --export-all --enable=receive-pack
    systemctl start redis-server nginx
  `)
}

/** From nothing to Studio with TLS and a published site. The packages are there: they need a network. */
async function install(): Promise<void> {
  const block = await blockOf('operations', '### On one machine')
  const needsNetwork = /^(?:git clone|npm ci) .*$/gm
  hold(block.match(needsNetwork)?.length === 2, `operations: ${block}`)
  // What they leave: Studio is built, and its packages are gone.
  await bringStudio('/opt/handrail')
  await sh('rm -rf /opt/handrail/node_modules/sanity /opt/handrail/studio/node_modules')
  const [settings = '', start = ''] = block.replace(needsNetwork, '').split(/(?=^systemctl enable)/m)
  await sh(`cd /opt/handrail\n${settings}`)
  await set('lake', COMPILED)
  await set('lake', {...OLD, GIT_REMOTE: 'git://127.0.0.1/content.git', LAKE_WEBHOOKS: receiver.url})
  await set('service', {
    ...OLD,
    // The name of nginx, because the lake moves to another machine.
    SANITY_API_HOST: 'https://lake.example.com',
    NODE_EXTRA_CA_CERTS: CERTIFICATE,
  })
  await sh(`cd /opt/handrail\n${start}`)
  const page = await sh(
    `curl --fail-with-body --silent --header "accept: text/html" --cacert ${CERTIFICATE} https://lake.example.com/`,
  )
  hold(page.includes('A Studio'), page)
  await publish('127.0.0.1', OLD.LAKE_API_TOKEN, SITE)
  for (const port of PORTS) await until(port, '/api/sites/harbour-public/config?path=/', 200)
}

/** Lake, Redis and a replica are on two machines. The other replicas have these settings from their next restart on. */
async function addMachine(): Promise<void> {
  const redis = await redisPassword()
  await sh(`
    export REDISCLI_AUTH=${redis}
    redis-cli CONFIG SET bind '127.0.0.1 ${FIRST}' && redis-cli CONFIG REWRITE
  `)
  await set('lake', {LAKE_HOST: '0.0.0.0'})
  await set('service', {HOST: '0.0.0.0', REDIS_URL: `redis://:${redis}@${FIRST}:6379`})
  await set('second', {HOST: SECOND, TRUSTED_PROXIES: FIRST})
  const unit = `handrail@${SECOND_PORT}`
  const lines = [
    '[Service]',
    'NetworkNamespacePath=/run/netns/second',
    'EnvironmentFile=/etc/handrail/second.env',
  ]
  const folder = `/etc/systemd/system/${unit}.service.d`
  const start = await commandOf('scale', `systemctl enable --now ${unit}`)
  const second = `
    mkdir -p ${folder}
    printf '%s\\n' ${lines.join(' ')} > ${folder}/second.conf
    systemctl daemon-reload
    ${start}
    sed -i 's/^ *server 127.0.0.1:3001/    server ${SECOND}:${SECOND_PORT} max_fails=1 fail_timeout=1s;\\n&/' /etc/nginx/conf.d/handrail.conf
    systemctl reload nginx
  `
  await Promise.all([sh('systemctl restart handrail-lake'), sh(second)])
  for (const one of ['handrail-lake', unit]) await expectChecked(one)
}

/** @throws Violation unless the check of a unit found the process at its address. */
async function expectChecked(unit: string): Promise<void> {
  const check = await sh(`systemctl show --property=ExecStartPost ${unit}`)
  hold(check.includes('code=exited ; status=0 '), `${unit} does not respond at its address: ${check}`)
}

/** The database and Git's objects are damaged. The backup is restored. */
async function loseContent(): Promise<void> {
  await sh('systemctl start handrail-backup')
  await lake('operations', 'verify --from /backups', {path: '/var/backups/handrail'})
  await sh(`
    systemctl kill --signal=KILL handrail-lake
    cd /var/lib/handrail-lake/content.git
    truncate --size=4096 handrail/state.db && rm -rf objects
  `)
  await sh(await systemdBlockOf('runbook', '## Restore'))
  const said = await sh(await systemdBlockOf('runbook', '# Runbook'))
  hold(said.includes('ada@example.com') && said.includes('commit '), said)
}

async function crash(): Promise<void> {
  const units = ['redis-server', 'handrail-lake', 'handrail@3000']
  await sh(`systemctl kill --signal=KILL ${units.join(' ')}`)
  for (const unit of units) await eventually(() => sh(`systemctl is-active ${unit} || true`), /^active/)
  for (const port of PORTS) await until(port, '/readyz', 200)
}

/** New values for all secrets, and an upgrade to a version with a later database and another build of the snippet. */
async function upgradeWithNewSecrets(): Promise<void> {
  await sh('systemctl start handrail-backup')
  const text = await readFile(MIGRATIONS, 'utf8')
  await writeFile(MIGRATIONS, text.replace(/\]\s*$/, "  'CREATE TABLE later (at TEXT)',\n]\n"))
  await set('lake', BOTH)
  await sh('systemctl restart handrail-lake')
  const earlier = await redisPassword()
  const [begin = '', end = ''] = (await commandsOfRow('runbook', '`REDIS_URL`', 'redis-cli')).map((command) =>
    command.replaceAll('OLD', earlier).replaceAll('NEW', REDIS_NEW),
  )
  await sh(begin)
  const origin = {WEBMCP_ORIGIN_TRIAL_TOKEN: trialToken({})}
  await set('service', {...BOTH, ...origin, REDIS_URL: `redis://:${REDIS_NEW}@${FIRST}:6379`})
  await Promise.all([restartReplicas(), replaceSecretsOfLake()])
  for (const port of PORTS) {
    await expectChecked(`handrail@${port}`)
    for (const secrets of [OLD, NEW]) await tryAtService(port, secrets, true)
    await sharesLimits(port, NEW)
  }
  await sh(`${end}\nsystemctl restart redis-server`)
  for (const port of PORTS) await sharesLimits(port, NEW)
  const refused = await sh(`REDISCLI_AUTH=${earlier} redis-cli PING 2>&1; REDISCLI_AUTH= redis-cli PING 2>&1`)
  hold(/WRONGPASS.*NOAUTH/s.test(refused), refused)
}

async function replaceSecretsOfLake(): Promise<void> {
  for (const secrets of [OLD, NEW]) await tryAtLake(LAKE_PORT, secrets, true)
  await receiver.receive(LAKE_PORT, 'before')
  receiver.secret = NEW.LAKE_WEBHOOK_SECRET
  await receiver.receive(LAKE_PORT, 'after')
  await lake('runbook', 'editor password --email ada@example.com')
  await lake('runbook', 'editor sign-out --all')
}

/** Back to the earlier version, which refuses the later database. Earlier secrets are not accepted any more. */
async function goBack(): Promise<void> {
  await sh('systemctl stop handrail-lake')
  const text = await readFile(MIGRATIONS, 'utf8')
  await writeFile(MIGRATIONS, text.replace("  'CREATE TABLE later (at TEXT)',\n", ''))
  for (const name of ['lake', 'service']) await set(name, NEW)
  await Promise.all([restartReplicas(), restoreEarlierDatabase()])
  await tryAtLake(LAKE_PORT, NEW, true)
  await tryAtLake(LAKE_PORT, OLD, false)
  for (const port of PORTS) {
    await tryAtService(port, NEW, true)
    await tryAtService(port, OLD, false)
    await sharesLimits(port, NEW)
  }
}

async function restoreEarlierDatabase(): Promise<void> {
  const refused = await lake('rights', 'editor list').catch(({message}) => message)
  hold(/later version/.test(refused), refused)
  await sh('mv /var/lib/handrail-lake/content.lost.git /var/lib/handrail-lake/content.older.git')
  await sh(await systemdBlockOf('runbook', '## Restore'))
}

/** The machine of the lake is lost, with a replica that has nothing. The lake is restored on the second one. */
async function loseTheLake(): Promise<void> {
  const inSecond = 'NetworkNamespacePath=/run/netns/second'
  await sh(`
    systemctl start handrail-backup
    cd /etc/systemd/system
    sed 's/handrail-lake/handrail-second/; s/lake.env/second-lake.env/; s|^.Service.$|&\\n${inSecond}|' handrail-lake.service > handrail-second.service
    sed 's/127.0.0.1/${FIRST}/; /^LAKE_WEBHOOKS=/d' /etc/handrail/lake.env > /etc/handrail/second-lake.env
    echo TRUSTED_PROXIES=${FIRST} >> /etc/handrail/second-lake.env
    sed 's/handrail-lake/handrail-second/; s/lake.env/second-lake.env/; s|--uid=|--property=${inSecond} &|' ${LAKE_COMMAND} > /root/second-command
    chmod +x /root/second-command
  `)
  await publish('127.0.0.1', NEW.LAKE_API_TOKEN, [siteDocument({_id: 'late', publicId: 'late-public'})])
  await eventually(() => sh('git -C /srv/content.git ls-tree -r --name-only main'), /site\/late\.json/)
  await sh(`
    systemctl kill --signal=KILL handrail-lake handrail@3001
    systemctl stop handrail-lake handrail@3001
    rm -rf /var/lib/private/handrail/3001/*
    systemctl start handrail@3001
  `)
  await until(PORTS[1], '/readyz', 503)
  const restore = await commandOf(
    'operations',
    '/opt/handrail/deploy/systemd/handrail-lake-command restore --from /var/backups/handrail && systemctl start handrail-lake',
  )
  await sh(`
    ${restore.replace(LAKE_COMMAND, '/root/second-command').replace('start handrail-lake', 'start handrail-second')}
    sed -i 's/127.0.0.1:${LAKE_PORT}/${SECOND}:${LAKE_PORT}/' /etc/nginx/conf.d/lake.conf && systemctl reload nginx
  `)
  await publish(SECOND, NEW.LAKE_API_TOKEN, [siteDocument({_id: 'new', publicId: 'new-public'})])
  for (const port of PORTS) {
    await until(port, '/readyz', 200)
    for (const publicId of ['late-public', 'new-public'])
      await until(port, `/api/sites/${publicId}/config?path=/`, 200)
  }
}

/** Each replica drains for ten seconds. One of the three always serves. */
async function restartReplicas(): Promise<void> {
  const first = await commandOf(
    'runbook',
    'systemctl restart handrail@3000 && systemctl restart handrail@3001',
  )
  await Promise.all([sh(first), sh(`systemctl restart handrail@${SECOND_PORT}`)])
}

/** The password of Redis that the replicas have. */
async function redisPassword(): Promise<string> {
  const urls = [...(await readFile('/etc/handrail/service.env', 'utf8')).matchAll(/^REDIS_URL=(.+)$/gm)]
  return new URL(urls.at(-1)?.[1] ?? '').password
}

/** Runs a command of a page. @param path in place of that in it. @param input what is typed. @returns what it printed */
async function lake(
  page: string,
  command: string,
  {path, input}: {path?: string; input?: string} = {},
): Promise<string> {
  await commandOf(page, `npm run lake -- ${command}`)
  return await sh(`${LAKE_COMMAND} ${path === undefined ? command : command.replace(/\/\S+$/, path)}`, input)
}

/** Adds settings to a file of `/etc/handrail`. The last one of a name counts. */
async function set(file: string, settings: Settings): Promise<void> {
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`)
  await appendFile(`/etc/handrail/${file}.env`, lines.join(''))
}

/** Publishes documents at the lake of a machine, as a program does. */
async function publish(host: string, token: string, documents: readonly object[]): Promise<void> {
  const body = JSON.stringify({mutations: documents.map((createOrReplace) => ({createOrReplace}))})
  const headers = {authorization: `Bearer ${token}`, 'content-type': 'application/json'}
  const address = `http://${host}:${LAKE_PORT}/v2025-02-19/data/mutate/production`
  await eventually(async () => {
    const response = await fetch(address, {method: 'POST', headers, body})
    return `${response.status} ${await response.text()}`
  }, /^200/)
}

/** Waits until a path of a replica has this status. */
async function until(port: number, path: string, status: number): Promise<void> {
  await eventually(async () => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`).catch(() => undefined)
    await response?.arrayBuffer()
    return response?.status
  }, status)
}

/** Runs commands as a person types them. @throws Violation with what they printed, if one fails. */
async function sh(commands: string, input?: string): Promise<string> {
  try {
    const running = promisify(execFile)('bash', ['--norc', '-euo', 'pipefail', '-c', commands])
    running.child.stdin?.end(input)
    return (await running).stdout
  } catch (error) {
    const {stdout = '', stderr = ''} = Object(error)
    throw new Violation(`${commands}\n${stdout}\n${stderr}`)
  }
}
