import {errorMessage} from '../common/errorMessage.ts'

/** A publication failed, and nothing was changed. The message is one line. */
export class PublishError extends Error {}

/** HEAD is no longer the commit that the publication is based on. Nothing was changed; refresh and retry. */
export class HeadMovedError extends Error {}

/** A new file cannot have its name. The message tells the person who chose the name why. */
export class UnfitNameError extends Error {
  readonly path: string

  constructor(path: string, message: string) {
    super(message)
    this.path = path
  }
}

/** Makes a one-line error that tells a person why a publication failed. */
export function publishError(error: unknown): PublishError {
  const reason = errorMessage(error)
  return new PublishError(`the content repository is not writable: ${reason.replace(/\s+/g, ' ')}`, {
    cause: error,
  })
}
