import {type Parsed, refuse} from './parsed.ts'

export type ObjectSchema = {type: 'object'; properties: Record<string, unknown>} & Record<string, unknown>

export function parseInputSchema(_value: unknown): Parsed<ObjectSchema> {
  return refuse('Not written yet.')
}
