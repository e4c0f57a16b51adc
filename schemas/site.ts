import type {Declaration} from './document.ts'
import {folded} from './field.ts'
import {addresses} from './fields/addresses.ts'
import {askBefore} from './fields/askBefore.ts'
import {hashRouter} from './fields/hashRouter.ts'
import {pageTools} from './fields/pageTools.ts'
import {pollInterval} from './fields/pollInterval.ts'
import {publicId} from './fields/publicId.ts'
import {reportAfterConsent} from './fields/reportAfterConsent.ts'
import {reportCalls} from './fields/reportCalls.ts'
import {review} from './fields/review.ts'
import {siteEnabled} from './fields/siteEnabled.ts'
import {siteName} from './fields/siteName.ts'

/** A website whose pages offer tools. */
export const site: Declaration = {
  name: 'site',
  title: 'Site',
  fields: [
    siteName,
    addresses,
    siteEnabled,
    review,
    hashRouter,
    publicId,
    pollInterval,
    askBefore,
    reportCalls,
    reportAfterConsent,
    pageTools,
  ],
  form: {
    fieldsets: [folded('more', 'More settings')],
    orderings: [{name: 'name', title: 'Name', by: [{field: 'name', direction: 'asc'}]}],
    preview: {
      select: {name: 'name', publicId: 'publicId', enabled: 'enabled'},
      prepare: ({name, publicId, enabled}: Record<string, unknown>) => ({
        title: name,
        subtitle: enabled === false ? `${String(publicId)} · switched off` : publicId,
      }),
    },
  },
}
