import { DataB, DataConstr, DataI, dataFromCbor, dataToCbor } from '@harmoniclabs/plutus-data';
import { decodeSchedulerDatum, encodeSchedulerDatum } from '@horae/midgard-shift';
import { defineBench } from '@horae-tooling/bench';
import { key } from './large-world.js';

const datum = { operator: key(1), shiftStart: 1_700_000_000_000 };
const encoded = encodeSchedulerDatum(datum);

export default [
  defineBench({
    name: 'shift/codec/encode',
    about:
      'One operation: a scheduler datum to CBOR bytes. The library has no type for it: the same constructor is built by hand.',
    ours: 'encodeSchedulerDatum',
    contenders: {
      encodeSchedulerDatum: { run: () => encodeSchedulerDatum(datum) },
      '@harmoniclabs/plutus-data': {
        run: () => dataToCbor(new DataConstr(0, [new DataB(datum.operator), new DataI(datum.shiftStart)])),
      },
    },
  }),
  defineBench({
    name: 'shift/codec/decode',
    about:
      'One operation: CBOR bytes to a scheduler datum. Only ours checks the constructor, the arity, the types and the length.',
    ours: 'decodeSchedulerDatum',
    contenders: {
      decodeSchedulerDatum: { run: () => decodeSchedulerDatum(encoded) },
      '@harmoniclabs/plutus-data': { run: () => dataFromCbor(encoded) },
    },
  }),
];
