import {readFile} from 'node:fs/promises'
import {listOf, projectFile} from './files.ts'

/** One stage of a Dockerfile, with what a container of it would start with. */
export type Stage = {
  /** Each `COPY`: the stage it copies from, undefined for the project's folder, then what and where to. */
  copies: {from: string | undefined; sources: string[]; target: string}[]
  env: Record<string, string>
  ports: number[]
  user: string | undefined
  entrypoint: string[]
  command: string[]
  healthcheck: string[]
}

/** The stages of the project's Dockerfile by name. Supports only the syntax that this file uses. */
export async function readStages(): Promise<Map<string, Stage>> {
  const text = await readFile(projectFile('Dockerfile'), 'utf8')
  const [, ...stages] = text
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split(/^FROM /m)
  return new Map(stages.map((stage) => [/ AS (\w+)$/m.exec(stage)?.[1] ?? '', parseStage(stage)]))
}

/** @throws Error if the project's Dockerfile has no stage of this name. */
export async function readStage(name: string): Promise<Stage> {
  const stage = (await readStages()).get(name)
  if (stage === undefined) throw new Error(`the Dockerfile has no stage ${name}`)
  return stage
}

function parseStage(text: string): Stage {
  const all = (word: string) =>
    Array.from(text.matchAll(new RegExp(`^${word} +(.*)$`, 'gm')), ([, rest = '']) => rest)
  /** The exec form. The shell form would need a shell, and is refused. */
  const words = (word: string) => {
    const [, json = '[]'] = /^(?:--.* CMD )?(.*)$/.exec(all(word)[0] ?? '[]') ?? []
    return listOf(JSON.parse(json)).map(String)
  }
  const variables = all('ENV').flatMap((line) => [...line.matchAll(/(\w+)=(?:"([^"]*)"|(\S+))/g)])
  return {
    copies: all('COPY').map((line) => {
      const places = line.split(' ').filter((word) => !word.startsWith('--'))
      const [, from] = /--from=(\S+)/.exec(line) ?? []
      return {from, sources: places.slice(0, -1), target: places.at(-1) ?? ''}
    }),
    env: Object.fromEntries(variables.map(([, name = '', quoted, plain = '']) => [name, quoted ?? plain])),
    ports: all('EXPOSE').map(Number),
    user: all('USER')[0],
    entrypoint: words('ENTRYPOINT'),
    command: words('CMD'),
    healthcheck: words('HEALTHCHECK'),
  }
}
