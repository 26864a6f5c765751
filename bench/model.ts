/** Prints what 1, 10 and 100 million results a day take, computed from the measured costs. */
import { capacityTable } from './capacity-model.ts'
import { readMeasuredCosts } from './measured-costs.ts'
import { markdown } from './table.ts'

process.stdout.write(markdown(capacityTable(readMeasuredCosts())))
