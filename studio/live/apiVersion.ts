/** API version of queries. From this version on, they see drafts only if they request them. */
export const API_VERSION = '2025-02-19'
