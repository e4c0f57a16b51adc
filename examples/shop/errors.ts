import createError from '@fastify/error'

/**
 * All errors of the shop's API: code, status and a message for the client. Agents read the message and retry,
 * so each one says what is wrong and what is expected.
 */
export const errors = {
  INVALID_INPUT: createError('INVALID_INPUT', '%s', 400),
  FOREIGN_PAGE: createError('FOREIGN_PAGE', 'Only pages of this shop can do that.', 403),
  NOT_FOUND: createError('NOT_FOUND', '%s', 404),
  UNKNOWN_PRODUCT: createError('UNKNOWN_PRODUCT', 'There is no product "%s". Search for its ID first.', 404),
  OUT_OF_STOCK: createError('OUT_OF_STOCK', '%s', 409),
  EMPTY_CART: createError('EMPTY_CART', 'The cart is empty. Add a product first.', 409),
  INTERNAL_ERROR: createError('INTERNAL_ERROR', 'The shop cannot respond right now. Try again later.', 500),
}

/** The code of an error in a response body. */
export type ErrorCode = keyof typeof errors

/** Whether a thrown value is one of these errors. */
export function isShopError(thrown: unknown): thrown is Error & {code: ErrorCode; statusCode: number} {
  return Object.values(errors).some((ShopError) => thrown instanceof ShopError)
}
