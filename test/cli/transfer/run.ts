import {content, type Ran} from '../support/run.ts'

export type {Ran}

/** Runs an export or import. The error of one that cannot run is the message alone. */
export async function transfer(name: 'export' | 'import', args: readonly string[]): Promise<Ran> {
  const ran = await content([name, ...args], '/')
  return ran.code === 2 ? {...ran, error: ran.error.replace(`content ${name}: `, '').trimEnd()} : ran
}

export const page = (id: string, more: object = {}) => ({_id: id, _type: 'page', ...more})
