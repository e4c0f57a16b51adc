// Written by `npm run typegen` from schemas/actions/code/request.ts. Change that, not this.
// @ts-nocheck

export const saidIn = (body) => {
  // The first problem of a list, or of an object with lists.
  const error = typeof body?.errors === 'object' ? Object.values(body.errors ?? {}).flat()[0] : body?.errors
  const said = [error?.detail, error?.message, error?.title, error, body?.error?.message, body?.detail, body?.message, body?.error_description, body?.error, body?.title]
    .find((text) => typeof text === 'string' && text !== '')
  const text = typeof said === 'string' ? said.slice(0, 200).replace(/[\s\p{C}]+/gu, ' ').trim() : ''
  return text && `The website says: “${text}” `
}
