import type {JsonObject} from '../../common/json.ts'
import type {Random} from './random.ts'

/** A document without the lake's attributes. For a draft, its last transaction is known too. */
export type Known = {readonly content: JsonObject; readonly revision?: string}

/** Documents by id. */
export type State = ReadonlyMap<string, Known>

/** A transaction, and the expected state of the documents it changes. */
export type Operation = {
  readonly route: 'mutate' | 'actions'
  readonly body: JsonObject
  readonly transactionId: string
  readonly changes: ReadonlyMap<string, Known | undefined>
}

type Step = {
  readonly step: JsonObject
  readonly changes: readonly (readonly [string, JsonObject | undefined])[]
}

/** The possible operations on a document in its state: `fresh` are new attributes. */
type Situation = {
  readonly id: string
  readonly draftId: string
  readonly draft: Known | undefined
  readonly published: Known | undefined
  readonly fresh: JsonObject
  readonly random: Random
}

const type = 'note'

/** Chooses a valid transaction over some of the documents. */
export function chooseOperation(
  random: Random,
  ids: readonly string[],
  state: State,
  transactionId: string,
): Operation {
  const route = random.chance(0.5) ? 'mutate' : 'actions'
  const chosen = random.some(ids, random.chance(0.6) ? 1 : random.between(2, 4))
  const steps = chosen.flatMap((id, index) => {
    const draftId = `drafts.${id}`
    const fresh = freshAttributes(random, `${transactionId}/${index}`)
    const situation = {id, draftId, draft: state.get(draftId), published: state.get(id), fresh, random}
    const possible = route === 'mutate' ? mutations(situation) : actions(situation)
    return [random.pick(possible)]
  })
  const changes = new Map<string, Known | undefined>()
  for (const [id, content] of steps.flatMap((step) => step.changes)) {
    changes.set(
      id,
      content && {content: {...content, _id: id, _type: type}, ...revisionOf(id, transactionId)},
    )
  }
  const name = route === 'mutate' ? 'mutations' : 'actions'
  return {route, transactionId, changes, body: {transactionId, [name]: steps.map(({step}) => step)}}
}

/** Sometimes a long text, so that a kill may truncate its line, and sometimes none: it has a file of its own. */
function freshAttributes(random: Random, value: string): JsonObject {
  const length = random.chance(0.05) ? random.between(50_000, 300_000) : random.between(0, 2_000)
  return {value, ...(random.chance(0.8) && {filler: 'é🙂x'.repeat(length / 3)})}
}

function revisionOf(id: string, transactionId: string): {revision?: string} {
  return id.startsWith('drafts.') ? {revision: transactionId} : {}
}

function actions({id, draftId, draft, published, fresh, random}: Situation): Step[] {
  const pair = {draftId, publishedId: id}
  const action = (kind: string, rest: JsonObject) => ({actionType: `sanity.action.document.${kind}`, ...rest})
  const current = draft ?? published
  const steps: Step[] = []
  if (current === undefined) {
    const attributes = {...fresh, _id: draftId, _type: type}
    steps.push({step: action('create', {publishedId: id, attributes}), changes: [[draftId, attributes]]})
  } else {
    const patch = {set: fresh}
    const edited = {...current.content, ...fresh}
    steps.push({step: action('edit', {...pair, patch}), changes: [[draftId, edited]]})
  }
  if (draft !== undefined) {
    const guard = random.chance(0.5) ? {ifDraftRevisionId: draft.revision} : {}
    const changes: Step['changes'] = [
      [id, draft.content],
      [draftId, undefined],
    ]
    // Twice, because publishing is the riskiest operation.
    for (let times = 0; times < 2; times += 1)
      steps.push({step: action('publish', {...pair, ...guard}), changes})
    steps.push({step: action('discard', {draftId}), changes: [[draftId, undefined]]})
  }
  if (published !== undefined) {
    const kept: Step['changes'] = draft === undefined ? [[draftId, published.content]] : []
    steps.push({step: action('unpublish', pair), changes: [[id, undefined], ...kept]})
    steps.push({
      step: action('delete', {publishedId: id, includeDrafts: draft === undefined ? [] : [draftId]}),
      changes: [
        [id, undefined],
        [draftId, undefined],
      ],
    })
  }
  return steps
}

/** Skips a published document with a draft, which could not be published any more. */
function mutations({id, draftId, draft, published, fresh, random}: Situation): Step[] {
  if (draft !== undefined) {
    const guard = random.chance(0.5) ? {ifRevisionID: draft.revision} : {}
    return [
      {
        step: {patch: {id: draftId, set: fresh, ...guard}},
        changes: [[draftId, {...draft.content, ...fresh}]],
      },
      {step: {delete: {id: draftId}}, changes: [[draftId, undefined]]},
    ]
  }
  const document = {...fresh, _id: id, _type: type}
  const steps: Step[] = [
    {step: {create: {...document, _id: draftId}}, changes: [[draftId, fresh]]},
    {step: {createOrReplace: document}, changes: [[id, fresh]]},
  ]
  if (published !== undefined) {
    steps.push({step: {patch: {id, set: fresh}}, changes: [[id, {...published.content, ...fresh}]]})
    steps.push({step: {delete: {id}}, changes: [[id, undefined]]})
  }
  return steps
}
