import { writeFileSync } from 'node:fs';
import { renderReport, runEpoch } from '@horae/epoch-sim';
import { compareCranes, fewestCranes, type Interval } from './cranes.js';
import { harbour } from './harbour.js';

const show = ({ mean, low, high }: Interval, digits = 0) =>
  `${mean.toFixed(digits)} (${low.toFixed(digits)} to ${high.toFixed(digits)})`;

const rows = await compareCranes(harbour, { cranes: [1, 2, 3, 4], runs: 200 });
console.log('cranes   mean wait in minutes   use of the cranes     ships lost a day');
for (const { cranes, waitMin, utilisation, lost } of rows) {
  console.log(`${cranes}        ${show(waitMin).padEnd(22)} ${show(utilisation, 2).padEnd(21)} ${show(lost, 1)}`);
}
console.log(`For a mean wait below 15 minutes the harbour needs ${fewestCranes(rows, 15)} cranes.`);

// One day to look at: open day.html in a browser.
writeFileSync('day.html', renderReport([runEpoch(harbour, { seed: 1 })], { title: 'One day with one crane' }));
console.log('One of the days is drawn in day.html.');
