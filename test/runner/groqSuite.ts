import {existsSync} from 'node:fs'
import {join} from 'node:path'

/** GROQ's official suite, built in the clone that `GROQ_TEST_SUITE` names. */
export function findGroqSuite(): string | undefined {
  const path = join(process.env.GROQ_TEST_SUITE ?? '', 'suite.ndjson')
  return process.env.GROQ_TEST_SUITE !== undefined && existsSync(path) ? path : undefined
}
