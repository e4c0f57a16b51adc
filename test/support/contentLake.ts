import {createClient, type SanityClient} from '@sanity/client'
import type {FastifyBaseLogger} from 'fastify'
import {startLake} from '../../lake/lake.ts'
import {gitLauncher} from '../lake/support/git.ts'
import {type ContentDocument, type ContentRepository, createContentRepository} from './content.ts'

/** A lake over its own repository. */
export type ContentLake = {
  address: string
  repository: ContentRepository
  /** Queries the lake directly, and may write. */
  client: SanityClient
  /** Of the service, which only reads. */
  serviceToken: string
  close(): Promise<void>
}

/** Of the program that `ContentLake.client` is. */
const TOKEN = 'a-token-for-tests'

export async function startContentLake(
  documents: ContentDocument[],
  logger: FastifyBaseLogger,
): Promise<ContentLake> {
  await gitLauncher()
  const repository = await createContentRepository(documents)
  const {address, serviceToken, close} = await startLake({
    host: '127.0.0.1',
    port: 0,
    contentDir: repository.dir,
    projectId: 'local',
    dataset: 'production',
    apiTokens: [TOKEN],
    logger,
  })
  return {
    address,
    serviceToken,
    repository,
    client: createClient({
      projectId: 'local',
      dataset: 'production',
      apiVersion: '2025-02-19',
      useCdn: false,
      useProjectHostname: false,
      apiHost: address,
      token: TOKEN,
    }),
    async close() {
      await close()
      await repository.dispose()
    },
  }
}
