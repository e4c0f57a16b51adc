import {registerHooks} from 'node:module'
import {pathToFileURL} from 'node:url'
import {replacementOf} from '../../../../../studio/build/mergedTexts.ts'
import {type TextChange, TextSync} from '../../../../../studio/inputs/code/textSync.ts'

/** Studio's model of a document, as it is built for a lake. */
async function builtMutator(): Promise<typeof import('@sanity/mutator')> {
  const hooks = registerHooks({
    resolve(specifier, context, nextResolve) {
      const replacement = replacementOf(specifier, context.parentURL)
      return nextResolve(replacement === undefined ? specifier : pathToFileURL(replacement).href, context)
    },
  })
  try {
    // Another test may have loaded it without the replacement.
    return await import(`${import.meta.resolve('@sanity/mutator')}?merged`)
  } finally {
    hooks.deregister()
  }
}

const {BufferedDocument, Mutation} = await builtMutator()

export type Step =
  | {kind: 'type'; who: number}
  | {kind: 'erase'; who: number}
  | {kind: 'program'}
  | {kind: 'commit'; who: number}
  | {kind: 'serve'}
  | {kind: 'deliver'; who: number}

type Event = ConstructorParameters<typeof Mutation>[0]
type Request = {mutation: Event; done: () => void}

const ID = 'drafts.a'

type Shared = {_id: string; _type: string; _rev: string; text: string}

export function applyChanges(text: string, changes: readonly TextChange[]): string {
  return changes.reduceRight(
    (result, {from, to, insert}) => result.slice(0, from) + insert + result.slice(to),
    text,
  )
}

/** A text in a simulated Content Lake, open in two editors whose forms work as Studio's. */
export class SharedText {
  readonly editors: readonly [Editor, Editor]
  /** What was typed and not erased, each a character of its own, with who typed it. */
  readonly typed = new Map<string, string>()
  readonly #requests: Request[] = []
  #document: Shared
  #characters = 0
  #revisions = 0

  /** @param cursors where the editors type first */
  constructor(text: string, [first, second]: readonly [number, number]) {
    this.#document = {_id: ID, _type: 'tool', _rev: 'r0', text}
    const open = (cursor: number) =>
      new Editor({...this.#document}, cursor, (request) => this.#requests.push(request))
    this.editors = [open(first), open(second)]
  }

  get text(): string {
    return this.#document.text
  }

  take(step: Step): void {
    if (step.kind === 'type') this.#editor(step.who).type(this.#nextCharacter(`editor ${step.who}`))
    else if (step.kind === 'erase') this.typed.delete(this.#editor(step.who).erase() ?? '')
    else if (step.kind === 'commit') this.#editor(step.who).commit()
    else if (step.kind === 'deliver') this.#editor(step.who).deliver()
    else if (step.kind === 'serve') this.#serve()
    else this.#runProgram()
  }

  /** Everybody stops typing, and everything arrives. */
  finish(): void {
    for (const editor of this.editors) editor.commit()
    while (this.#requests.length > 0 || this.editors.some(({inbox}) => inbox.length > 0)) {
      this.#serve()
      for (const editor of this.editors) editor.deliver()
    }
  }

  /** A program adds a character in the middle. */
  #runProgram(): void {
    const character = this.#nextCharacter('the program')
    const at = this.text.indexOf('// the program')
    const patch = new TextSync(this.text).typed([{from: at, to: at, insert: character}])
    this.#apply({mutations: [{patch: {id: ID, diffMatchPatch: {text: patch}}}]})
  }

  #editor(who: number): Editor {
    return who === 0 ? this.editors[0] : this.editors[1]
  }

  #nextCharacter(who: string): string {
    // Ideographs: each is one, and none is in the text before.
    const character = String.fromCodePoint(0x4e00 + this.#characters++)
    this.typed.set(character, who)
    return character
  }

  #serve(): void {
    const request = this.#requests.shift()
    if (request === undefined) return
    this.#apply(request.mutation)
    request.done()
  }

  #apply(change: Event): void {
    const previousRev = this.#document._rev
    const transactionId = change.transactionId ?? `program${this.#revisions}`
    const event = {...change, transactionId, previousRev, resultRev: `r${++this.#revisions}`}
    const text: unknown = new Mutation(structuredClone(event)).apply({...this.#document})?.text
    this.#document = {...this.#document, _rev: event.resultRev, text: String(text)}
    for (const {inbox} of this.editors) inbox.push(structuredClone(event))
  }
}

/** A code editor in a form, over the document buffer that Studio uses. */
class Editor {
  readonly inbox: Event[] = []
  text: string
  readonly #buffer: InstanceType<typeof BufferedDocument>
  readonly #sync: TextSync
  #cursor: number
  #own: string[] = []

  constructor(document: Shared, cursor: number, send: (request: Request) => void) {
    this.#cursor = cursor
    this.#sync = new TextSync(document.text)
    this.text = document.text
    this.#buffer = new BufferedDocument(document)
    this.#buffer.commitHandler = ({mutation, success}) => send({mutation: mutation.params, done: success})
  }

  type(character: string): void {
    this.#change({from: this.#cursor, to: this.#cursor, insert: character})
    this.#cursor += character.length
    this.#own.push(character)
  }

  /** Erases the character that this editor typed last. */
  erase(): string | undefined {
    const character = this.#own.pop()
    const from = character === undefined ? -1 : this.text.indexOf(character)
    if (character === undefined || from < 0) return undefined
    this.#change({from, to: from + character.length, insert: ''})
    if (from < this.#cursor) this.#cursor -= character.length
    return character
  }

  commit(): void {
    void this.#buffer.commit()
  }

  deliver(): void {
    const event = this.inbox.shift()
    if (event === undefined) return
    this.#buffer.arrive(new Mutation(event))
    this.#render()
  }

  #change(change: TextChange): void {
    this.text = applyChanges(this.text, [change])
    const mutation = new Mutation({
      mutations: [
        {patch: {id: ID, setIfMissing: {text: ''}}},
        {patch: {id: ID, diffMatchPatch: {text: this.#sync.typed([change])}}},
      ],
    })
    this.#buffer.add(mutation)
    this.#render()
  }

  #render(): void {
    const value: unknown = this.#buffer.LOCAL?.text
    const changes = this.#sync.received(typeof value === 'string' ? value : '')
    this.text = applyChanges(this.text, changes)
    for (const {from, to, insert} of changes.toReversed())
      if (from < this.#cursor) this.#cursor = Math.max(from, this.#cursor - (to - from)) + insert.length
  }
}
