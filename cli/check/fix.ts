import {fixed} from '../../advice/fix.ts'
import {adviseAlone} from '../../advice/tool.ts'
import {UnfitDocumentError} from '../../content/canonical.ts'
import {jsonPath} from '../../content/layout/layout.ts'
import {splitDocument} from '../../content/layout/splitDocument.ts'
import {assembleDocument} from '../../content/parseDocument.ts'
import {problemsOf} from '../../schemas/index.ts'
import {changesOf, type FileChanges} from '../changes.ts'
import {documentsIn} from '../documents.ts'
import {LAYOUT} from '../layout.ts'
import type {Source} from '../source/source.ts'

/** What `content check --fix` changes. */
type FixPlan = {
  readonly files: FileChanges
  /** What is done, in the words of the button in Studio. */
  readonly fixes: readonly {readonly path: string; readonly title: string}[]
}

/** One fix can make room for another one. Each removes its advice, so that few are enough. */
const MOST_FIXES = 100

/** What is said of a document that has no advice to follow, and is written as the lake writes it. */
const FORMATTED = 'Write it as the lake does'

/**
 * Plans what puts advice right where there is one right answer, and writes documents as the lake does: long texts in files of
 * their own, and sorted keys. A document that breaks a rule stays as it is.
 */
export function planFixes(source: Source): FixPlan {
  const files = new Map<string, string | undefined>()
  const fixes: FixPlan['fixes'][number][] = []
  for (const document of documentsIn(source)) {
    const {key} = document
    const parsed = assembleDocument(LAYOUT, key, document.files)
    if ('problem' in parsed || problemsOf(key.type, parsed.document.content).length > 0) continue
    let {content} = parsed.document
    const titles: string[] = []
    for (let round = 0; round < MOST_FIXES; round += 1) {
      const advice = adviseAlone(key.type, content).find(({fix}) => fix !== undefined)
      const change = advice && fixed(advice, content)
      if (change === undefined) break
      titles.push(advice?.fix?.title ?? '')
      content = {...content, [change.field]: change.value}
    }
    try {
      const changes = changesOf(document, splitDocument(LAYOUT, key, content, parsed.document.given))
      for (const [path, text] of changes) files.set(path, text)
      if (changes.size > 0 && titles.length === 0) titles.push(FORMATTED)
      fixes.push(...titles.map((title) => ({path: jsonPath(key), title})))
    } catch (error) {
      if (!(error instanceof UnfitDocumentError)) throw error
    }
  }
  return {files, fixes}
}
