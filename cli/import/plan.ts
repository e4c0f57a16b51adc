import {posix} from 'node:path'
import type {JsonObject} from '../../common/json.ts'
import {revisionOf, UnfitDocumentError} from '../../content/canonical.ts'
import {pastDatesNamedBy} from '../../content/dates.ts'
import {isPublishedId, isReviewId} from '../../content/ids.ts'
import {splitDocument} from '../../content/layout/splitDocument.ts'
import {idProblem, typeProblem} from '../../content/names.ts'
import {fileSizeOf} from '../../content/size.ts'
import type {UniqueValues} from '../../content/uniqueValues.ts'
import {CommandError} from '../command.ts'
import {LAYOUT} from '../layout.ts'

/** What the repository has already, with the paths of all files. */
export type Known = {
  readonly unique: UniqueValues
  readonly documents: ReadonlyMap<string, {readonly _type: string; readonly _rev: string}>
  readonly paths: readonly string[]
}

/** What an import leaves out by design. */
const BY_DESIGN: readonly (readonly [reason: string, has: (id: string, type: string) => boolean])[] = [
  [
    'requests for reviews and secrets of preview links: make new ones',
    (id, type) => isReviewId(id) || type === 'sanity.previewUrlSecret',
  ],
  ['assets: use addresses of files on your website', (_, type) => /^sanity\.\w+Asset$/.test(type)],
  [
    'drafts, releases and system documents, which are not committed',
    (id, type) => !isPublishedId(id) || id.startsWith('_.') || type.startsWith('system.'),
  ],
]

/** A document that is not imported, perhaps a problem for a person. */
type LeftOut = {readonly name: string; readonly reason: string; readonly isProblem: boolean}

/**
 * Plans which files an import writes. What is in them is judged by `content check`.
 * @throws CommandError if an id occurs twice
 */
export function planImport(source: readonly JsonObject[], {documents, paths, unique}: Known) {
  const names = new Map(paths.flatMap(placesOf))
  const now = new Date().toISOString()
  const seen = new Set<string>()
  const leftOut: LeftOut[] = []
  const files = new Map<string, string | undefined>()
  const counts = {created: 0, replaced: 0, unchanged: 0}
  for (const [index, document] of source.entries()) {
    const {_id: id, _type: type} = document
    if (typeof id !== 'string' || typeof type !== 'string') {
      const name = typeof id === 'string' ? id : `number ${index + 1}`
      leftOut.push({name, reason: 'without an "_id" or "_type": add them', isProblem: true})
      continue
    }
    const [byDesign] = BY_DESIGN.find(([, has]) => has(id, type)) ?? []
    if (byDesign !== undefined) {
      leftOut.push({name: id, reason: byDesign, isProblem: false})
      continue
    }
    if (seen.has(id)) throw new CommandError(`the document "${id}" occurs twice: remove one of them`)
    seen.add(id)
    try {
      const unfit = idProblem(id) ?? typeProblem(type)
      if (unfit !== undefined) throw new UnfitDocumentError(unfit)
      const before = documents.get(id)
      if (before?._rev === revisionOf(document)) {
        counts.unchanged += 1
        continue
      }
      fileSizeOf(document)
      const written = splitDocument(LAYOUT, {type, id}, document, pastDatesNamedBy(document, now))
      const taken = unique.problemOf(new Map([[id, document]]))
      if (taken !== undefined) throw new UnfitDocumentError(taken.problem)
      claim(names, [...written.keys()])
      unique.put(id, document)
      if (before !== undefined)
        for (const path of LAYOUT.paths({type: before._type, id})) files.set(path, undefined)
      for (const [path, text] of written) files.set(path, text)
      counts[before === undefined ? 'created' : 'replaced'] += 1
    } catch (error) {
      if (!(error instanceof UnfitDocumentError)) throw error
      leftOut.push({
        name: `${id}: ${error.message}`,
        reason: 'that the repository cannot hold',
        isProblem: true,
      })
    }
  }
  return {files, counts, leftOut}
}

/**
 * Refuses names that differ only by case or Unicode form, because macOS and Windows cannot check out both files, and
 * files that would replace a folder or the other way round.
 */
function claim(names: Map<string, string>, paths: readonly string[]): void {
  const places = paths.flatMap(placesOf)
  for (const [folded, name] of places) {
    const known = names.get(folded) ?? name
    if (known !== name)
      throw new UnfitDocumentError(`"${name}" cannot be in one content repository with "${known}"`)
  }
  for (const [folded, name] of places) names.set(folded, name)
}

/** A file and its folders, which end with a slash, by what a file system takes for the same name. */
function placesOf(path: string): [folded: string, name: string][] {
  const folder = posix.dirname(path)
  const above = folder === '.' ? [] : placesOf(`${folder}/`)
  return [...above, [path.normalize('NFKC').toLowerCase().replace(/\/$/, ''), path]]
}
