import type {ContentRules} from '../git/contentRules.ts'
import {pathProblem} from './names.ts'
import {MAX_DOCUMENT_BYTES, parseDocument} from './parseDocument.ts'

/** The rules for a repository of documents. */
export const DOCUMENT_RULES: ContentRules = {
  maxBytes: MAX_DOCUMENT_BYTES,
  newPathProblem: pathProblem,
  contentProblem(path, content) {
    const parsed = parseDocument(path, content)
    return 'problem' in parsed ? parsed.problem : undefined
  },
}
