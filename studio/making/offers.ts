import {isRecord} from '../../schemas/record.ts'

/** What a page handed over for a field, offered to the forms of tools in all tabs with this Studio. */
type Offer = {
  /** Of the {@link ShownField}. */
  readonly fieldId: string
  readonly tool: unknown
}

/** Only pages of Studio's own origin receive what is sent here. */
const CHANNEL = 'handrail-shown'

/** Milliseconds between two offers, and for which one is valid: a tab that the browser froze reads it later. */
const INTERVAL = 1_000

/**
 * Offers until a form takes it.
 * @returns whether one did
 */
export function offer({fieldId, tool}: Offer, attempts: number, interval = INTERVAL): Promise<boolean> {
  const channel = new BroadcastChannel(CHANNEL)
  return new Promise<boolean>((resolve) => {
    let left = attempts
    const post = () => {
      if (left === 0) return finish(false)
      left -= 1
      channel.postMessage({fieldId, tool, until: Date.now() + interval})
    }
    const timer = setInterval(post, interval)
    const finish = (isTaken: boolean) => {
      clearInterval(timer)
      channel.close()
      resolve(isTaken)
    }
    channel.onmessage = ({data}) => {
      if (isRecord(data) && data.takenId === fieldId) finish(true)
    }
    post()
  })
}

/**
 * Calls a function with each offer, in the form of a tool.
 * @param take returns whether the offer is for this form
 * @returns a function that stops it
 */
export function takeOffers(take: (offer: Offer) => boolean): () => void {
  const channel = new BroadcastChannel(CHANNEL)
  channel.onmessage = ({data}) => {
    if (!isRecord(data) || typeof data.fieldId !== 'string' || Number(data.until) < Date.now()) return
    const {fieldId, tool} = data
    if (take({fieldId, tool})) channel.postMessage({takenId: fieldId})
  }
  return () => channel.close()
}

/** Calls a function when a form has taken an offer for a field. @returns a function that stops it */
export function whenTaken(fieldId: string, act: () => void): () => void {
  const channel = new BroadcastChannel(CHANNEL)
  channel.onmessage = ({data}) => {
    if (isRecord(data) && data.takenId === fieldId) act()
  }
  return () => channel.close()
}
