import {readFile} from 'node:fs/promises'
import {projectFile} from './files.ts'

/** One `COPY`. */
type Copy = {
  /** The stage it copies from. Undefined for the project's folder. */
  from: string | undefined
  sources: string[]
  target: string
}

/** One stage of a Dockerfile, with what a container of it would start with. */
export type Stage = {
  base: string
  copies: Copy[]
  env: Record<string, string>
  ports: number[]
  user: string | undefined
  entrypoint: string[]
  command: string[]
  healthcheck: string[]
}

/** The stages of the project's Dockerfile by name. Supports only the syntax that this file uses. */
export async function readStages(): Promise<Map<string, Stage>> {
  const stages = new Map<string, Stage>()
  let stage: Stage | undefined
  for (const [word, rest] of await readInstructions()) {
    if (word === 'FROM') {
      const [base = '', , name = ''] = rest.replace(/^--platform=\S+\s+/, '').split(/\s+/)
      stage = {
        base,
        copies: [],
        env: {},
        ports: [],
        user: undefined,
        entrypoint: [],
        command: [],
        healthcheck: [],
      }
      stages.set(name, stage)
    } else if (stage) apply(stage, word, rest)
  }
  return stages
}

/** @throws Error if the project's Dockerfile has no stage of this name. */
export async function readStage(name: string): Promise<Stage> {
  const stage = (await readStages()).get(name)
  if (stage === undefined) throw new Error(`the Dockerfile has no stage ${name}`)
  return stage
}

/** The instructions of the project's Dockerfile, each on one line. */
export async function readInstructions(): Promise<[word: string, rest: string][]> {
  const text = await readFile(projectFile('Dockerfile'), 'utf8')
  const lines = text.replaceAll(/^#.*\n/gm, '').replaceAll(/\\\n\s*/g, '')
  return Array.from(lines.matchAll(/^(\w+)\s+(.*)$/gm), ([, word = '', rest = '']) => [word, rest])
}

function apply(stage: Stage, word: string, rest: string): void {
  switch (word) {
    case 'COPY': {
      const words = rest.split(/\s+/)
      const from = words.find((option) => option.startsWith('--from='))?.slice('--from='.length)
      const places = words.filter((option) => !option.startsWith('--'))
      stage.copies.push({from, sources: places.slice(0, -1), target: places.at(-1) ?? ''})
      return
    }
    case 'ENV':
      for (const [, name = '', quoted, plain = ''] of rest.matchAll(/(\w+)=(?:"([^"]*)"|(\S+))/g))
        stage.env[name] = quoted ?? plain
      return
    case 'EXPOSE':
      stage.ports.push(Number(rest))
      return
    case 'USER':
      stage.user = rest
      return
    case 'ENTRYPOINT':
      stage.entrypoint = words(rest)
      return
    case 'CMD':
      stage.command = words(rest)
      return
    case 'HEALTHCHECK':
      stage.healthcheck = words(rest.slice(rest.indexOf('CMD ') + 4))
  }
}

/** The exec form. The shell form would need a shell, and is refused. */
function words(json: string): string[] {
  const value: unknown = JSON.parse(json)
  if (!Array.isArray(value)) throw new Error(`not in the exec form: ${json}`)
  return value.map(String)
}
