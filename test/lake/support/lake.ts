import type {TestContext} from 'node:test'
import {type ClientConfig, createClient, type SanityClient} from '@sanity/client'
import {type Lake, startLake} from '../../../lake/lake.ts'
import type {LakeSettings} from '../../../lake/lakeSettings.ts'
import {TEXT_FILES} from '../../../schemas/index.ts'
import {token} from './app.ts'
import {gitLauncher, type TestRepository, temporaryRepository} from './git.ts'
import {recordingLogger} from './log.ts'
import {CHEAP_SCRYPT, stateFolderOf} from './signIn.ts'

export type RunningLake = Lake & {
  readonly repository: TestRepository
  readonly client: SanityClient
  /** The folder of the database. */
  readonly stateFolder: string
  readonly warnings: {msg: string; [name: string]: unknown}[]
  clientWith(config: ClientConfig): SanityClient
}

/** A lake over a repository with these files, and a Sanity client for it. */
export async function runLake(
  t: TestContext,
  files: Record<string, unknown> = {},
  settings: Partial<LakeSettings> = {},
): Promise<RunningLake> {
  const repository = await temporaryRepository(t)
  if (Object.keys(files).length > 0) await repository.commit(files, 1_000)
  return runLakeOver(t, repository, settings)
}

/** A lake over an existing repository. */
export async function runLakeOver(
  t: TestContext,
  repository: TestRepository,
  settings: Partial<LakeSettings> = {},
): Promise<RunningLake> {
  await gitLauncher()
  const {logger, warnings} = recordingLogger()
  const lake = await startLake({
    host: '127.0.0.1',
    port: 0,
    contentDir: repository.directory,
    projectId: 'local',
    dataset: 'production',
    apiTokens: [token],
    textFiles: TEXT_FILES,
    scryptCost: CHEAP_SCRYPT,
    logger,
    ...settings,
  })
  t.after(() => lake.close())
  const clientWith = (config: ClientConfig) =>
    createClient({
      projectId: 'local',
      dataset: 'production',
      apiVersion: '2025-02-19',
      useCdn: false,
      useProjectHostname: false,
      apiHost: lake.address,
      maxRetries: 0,
      ignoreBrowserTokenWarning: true,
      ...config,
    })
  return {
    ...lake,
    repository,
    stateFolder: stateFolderOf(repository),
    warnings,
    clientWith,
    client: clientWith({token}),
  }
}
