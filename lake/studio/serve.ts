import {mkdir} from 'node:fs/promises'
import type {FastifyInstance} from 'fastify'
import {studioPages} from './pages.ts'
import {streamTunnel} from './tunnel.ts'

/** Serves a Studio that is built, or being built, into a folder; with it, the tunnel that its event streams take. */
export async function serveStudio(app: FastifyInstance, directory: string): Promise<void> {
  await mkdir(directory, {recursive: true})
  studioPages(app, directory)
  streamTunnel(app)
}
