/**
 * The vocabulary of `inferHints.ts`, in lower case.
 * If a name is classified wrongly, edit this and add the name to the table in test/schemas/rules/names/.
 */

type Words = ReadonlySet<string>

/** Verbs, and words that change the meaning if they directly follow one of them. */
export type Pairs = readonly {readonly verbs: Words; readonly objects: Words}[]

/**
 * Words that make a tool read-only if its name starts with them: `searchProducts`, `get_order`,
 * `orders.list`.
 */
export const READ_VERBS = words(`
  browse calculate check compare compute count describe display estimate explain explore fetch filter find get
  inspect list locate lookup preview query read retrieve search see show summarise summarize view
`)

/** Yes/no questions. They are read-only, and their results contain no text by users: `isInStock`. */
export const PREDICATES = words('are can does had has have is was were')

/** Pairs of words that are read-only: `lookUpAddress`, `trackOrder`. */
export const READ_PAIRS: Pairs = [
  pair('look', 'at for up'),
  pair('track', 'delivery order orders package packages parcel parcels shipment shipments'),
]

/** Pairs in which a read verb does more than read: ticking off, checking in, offering for sale, replacing. */
export const NOT_READING: Pairs = [
  pair('check', 'all box in item items mark off task tasks todo todos'),
  pair('get', 'in notified rid started'),
  pair('list', 'for item'),
  pair(
    'check count display estimate filter find list lookup preview query search show view',
    `add append apply assign bar box builder button cancel clear close create delete disable edit enable hide insert
     merge move remove rename replace reset save submit swap switch sync toggle update upload upsert write`,
  ),
]

/** Verbs of purchases and of irreversible actions: `buyNow`, `deleteAccount`, `sendMessage`. */
export const CONSEQUENTIAL_VERBS = words(`
  bet bid book buy cancel charge checkout delete deposit destroy donate erase hire lease order pay preorder publish
  purchase purge redeem refund remit renew rent reserve revoke sell send submit subscribe terminate trade transfer
  unsubscribe wipe withdraw
`)

/** Pairs of a verb and an object that are consequential only together: `placeOrder`, but not `placePin`. */
export const CONSEQUENTIAL_PAIRS: Pairs = [
  pair(
    `accept approve authorise authorize commit complete confirm create finalise finalize make place process schedule`,
    `appointment appointments bet bets bid bids booking bookings deposit donation donations offer offers order orders
     payment payments preorder purchase purchases reservation reservations subscription subscriptions trade trades
     transaction transactions transfer transfers withdrawal`,
  ),
  pair('complete confirm finalise finalize', 'cancellation checkout'),
  pair('issue request', 'refund refunds'),
  pair('return', 'item items order orders product products purchase purchases'),
  pair('close deactivate', 'account accounts'),
  pair('downgrade upgrade', 'membership plan subscription'),
  pair('leave post write', 'answer comment comments listing message messages question reply review reviews'),
  pair('sign', 'agreement contract document'),
  pair('file', 'claim complaint'),
  pair('apply', 'for'),
  pair('reply', 'to'),
]

/** Pairs that sound consequential and are not: sorting, a noun, a search form, a dialog. */
export const NOT_CONSEQUENTIAL: Pairs = [
  pair('order', 'by invoice invoices'),
  pair('purchase', 'invoice invoices order orders'),
  pair('transfer', 'fee fees'),
  pair('checkout', 'session'),
  pair('redeem', 'code coupon coupons'),
  pair('submit', 'button filter filters query search'),
  pair('cancel', 'dialog edit editing filter policy reason reasons search selection upload'),
  pair(
    'pay',
    `band calculator date dates day details grade history info link load method methods options page pal period
     periods rate rates rise roll scale slip slips status stub stubs summary`,
  ),
]

/**
 * Verbs that are also nouns. Followed by a word of `ABOUT`, they are the subject of a tool: `orderHistory`.
 */
export const ALSO_NOUNS = words(
  'bet bid book charge checkout deposit lease order purchase refund rent reserve sell trade transfer',
)

/** Nouns after which the word before is a noun, too: `bookDetails`, `transferStatus`, `purchase_list`. */
export const ABOUT = words(`
  address archive author authors calculator catalog catalogue categories category chapter chapters club code
  confirmation cost costs count cover date dates detail details flow form format genre guide help history id ids info
  information isbn label limit limits line lines link list lists log mark marks method methods name names note notes
  number numbers option options overview page pages period policies policy portal preview price prices process
  progress rate rates reason reasons receipt receipts record records report reports request requests result results
  review reviews rule rules schedule screen search settings shelf shop status step steps store stores summary terms
  time times title titles total totals tracker tracking type types url view volume window
`)

/** Content written by visitors. A tool that reads it passes untrusted text to an agent. */
export const WRITTEN_BY_OTHERS = words(`
  answer answers chat chats comment comments conversation conversations discussion discussions email emails feedback
  forum forums guestbook inbox mail mailbox mails message messages opinion opinions post posts question questions
  rating ratings replies reply review reviews testimonial testimonials thread threads tweet tweets
`)

/**
 * Directly after a word for written content, these mean a number, a rule or a place instead: `getPostCode`.
 */
export const NOT_WRITING = words(`
  address addresses box code codes count counts form format guidelines id ids limit limits link number numbers office
  offices policy rules settings status template templates total totals type types url
`)

/** Words to skip between a verb and its object: `place_an_order`, `cancelMyOrder`. */
export const DETERMINERS = words('a all an another any her his its my new next one our the their this your')

/** Words that join several actions in one name. Each is classified: `checkAndBook` books. */
export const CONJUNCTIONS = words('and or then')

function words(text: string): Words {
  return new Set(text.trim().split(/\s+/))
}

function pair(verbs: string, objects: string): Pairs[number] {
  return {verbs: words(verbs), objects: words(objects)}
}
