/** The trailer with the transaction id. */
export const TRANSACTION_TRAILER = 'Transaction'

/**
 * The trailer by which the journal recognises the commit of an entry: clients choose transaction ids, and may
 * use one twice.
 */
export const ATTEMPT_TRAILER = 'Attempt'
