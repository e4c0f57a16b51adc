import {State} from '../../../../content/state/state.ts'
import {Accounts} from '../../../../lake/access/accounts.ts'
import {everywhere} from '../../../../lake/access/rights/rights.ts'

/** Adds tokens one by one, like an operator's commands: `addTokens.ts FOLDER NAME COUNT`. */
const [folder = '', name = '', count = '0'] = process.argv.slice(2)
const accounts = new Accounts(State.open(folder))
for (let added = 0; added < Number(count); added++)
  await accounts.addToken(`${name}-${added}`, everywhere('viewer'))
