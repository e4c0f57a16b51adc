import {execFile} from 'node:child_process'
import type {TestContext} from 'node:test'
import {promisify} from 'node:util'
import {projectFile} from '../../deploy/support/files.ts'
import {token} from '../../lake/support/app.ts'
import {redirectSanityHost} from './sanityHost.ts'

const PROGRAM = projectFile('node_modules/@sanity/cli/bin/run.js')

/** Sanity's command line, whose requests to `api.sanity.io` reach the lake at an address. */
export async function sanityCli(t: TestContext, address: string, folder: string) {
  const {environment, asked} = await redirectSanityHost(t, address)
  const env = {
    ...environment,
    SANITY_AUTH_TOKEN: token,
    HOME: folder,
    TMPDIR: folder,
    XDG_CONFIG_HOME: folder,
    DO_NOT_TRACK: '1',
    CI: '1',
  }
  const run = async (...args: string[]) =>
    (await promisify(execFile)(process.execPath, [PROGRAM, ...args], {cwd: folder, env})).stdout
  return {run, asked}
}
