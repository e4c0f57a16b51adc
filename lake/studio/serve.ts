import {mkdir} from 'node:fs/promises'
import type {FastifyInstance} from 'fastify'
import type {PageAdditions} from './additions.ts'
import {studioPages} from './pages.ts'
import {presence} from './presence.ts'
import {quietRoutes} from './quiet.ts'
import {Sockets} from './sockets.ts'
import {streamTunnel} from './tunnel.ts'

/** Serves a Studio that is built, or being built, into a folder, and what only Studio asks for. */
export async function serveStudio(
  app: FastifyInstance,
  directory: string,
  additions?: () => PageAdditions,
): Promise<void> {
  await mkdir(directory, {recursive: true})
  studioPages(app, directory, additions)
  quietRoutes(app)
  app.register(async (scope) => {
    const sockets = await Sockets.register(scope)
    sockets.add(streamTunnel(scope))
    sockets.add(presence(scope))
  })
}
