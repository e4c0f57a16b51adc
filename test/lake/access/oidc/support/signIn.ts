import {writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import type {TestContext} from 'node:test'
import type {LakeSettings} from '../../../../../lake/lakeSettings.ts'
import type {SingleSignOnSettings} from '../../../../../lake/settings.ts'
import {temporaryFolder} from '../../../support/git.ts'
import {type RunningLake, runLake} from '../../../support/lake.ts'
import {CLIENT} from './lyingProvider.ts'

/** Gives rights to members of the groups `editors` and `admins`. */
export const RULES = [
  {claim: 'groups', value: 'editors', rights: [{role: 'publisher', sites: 'all'}]},
  {claim: 'groups', value: 'admins', rights: [{role: 'administrator', sites: 'all'}]},
]

export type SingleSignOnLake = RunningLake & {
  readonly rightsFile: string
  /** The settings, to start the lake again. */
  readonly settings: Partial<LakeSettings>
}

/** A lake whose editors sign in with a provider. It is behind a proxy, so that each request can be another client's. */
export async function lakeWith(
  t: TestContext,
  issuer: string,
  singleSignOn: Partial<SingleSignOnSettings> = {},
  others: Partial<LakeSettings> = {},
): Promise<SingleSignOnLake> {
  const rightsFile = join(await temporaryFolder(t), 'rights.json')
  await writeFile(rightsFile, JSON.stringify({rules: RULES}))
  const settings = {
    trustedProxies: ['loopback'],
    ...others,
    singleSignOn: {
      issuer,
      ...CLIENT,
      rightsFile,
      trustEmail: false,
      ...singleSignOn,
    },
  }
  return {...(await runLake(t, {}, settings)), rightsFile, settings}
}

let clients = 0

/** Headers of a client with its own address: a client may sign in ten times a minute. */
export function anotherClient(): Record<string, string> {
  clients += 1
  return {'x-forwarded-for': `192.0.${2 + (clients >> 8)}.${clients & 255}`}
}

/** Begins a sign-in, as a click on "Sign in with …" does. */
export async function begin(
  {address}: {address: string},
  to = '/',
): Promise<{response: Response; cookie: string; location: string}> {
  const response = await fetch(`${address}/login/oidc?${new URLSearchParams({to})}`, {
    redirect: 'manual',
    headers: anotherClient(),
  })
  const cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  return {response, cookie, location: response.headers.get('location') ?? ''}
}

/** The redirect of a provider that does not ask. */
export async function passProvider(location: string): Promise<string> {
  return (await fetch(location, {redirect: 'manual'})).headers.get('location') ?? ''
}

/** Opens the callback. */
export async function finish(
  callback: string,
  cookie: string,
): Promise<{status: number; html: string; session: string | undefined}> {
  const response = await fetch(callback, {redirect: 'manual', headers: {cookie, ...anotherClient()}})
  const cookies = response.headers.getSetCookie().map((one) => one.split(';')[0] ?? '')
  const session = cookies.find((one) => /^(__Host-)?handrail_session/.test(one))
  return {status: response.status, html: await response.text(), session}
}

/** Signs in with a provider that does not ask. */
export async function signIn(lake: {address: string}, to?: string) {
  const {cookie, location} = await begin(lake, to)
  return finish(await passProvider(location), cookie)
}

/** The signed-in user. */
export async function me(
  {address}: {address: string},
  session = '',
): Promise<{status: number; role?: string; email?: string; id?: string}> {
  const response = await fetch(`${address}/v1/users/me`, {headers: {cookie: session}})
  return {...JSON.parse(await response.text()), status: response.status}
}
