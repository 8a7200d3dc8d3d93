/**
 * The grammars of POSIX and of crontab at the level of types. `CronLiteral<'0 9 * * 1-5'>` is the text itself; for a wrong literal it is a
 * sentence that names the field, so that the compiler's message reads like an error of the parser. A `string` that is not a literal passes,
 * and is checked when the program runs. Texts of more than a few hundred characters exceed what the compiler follows.
 */
export type CronLiteral<S extends string, D extends 'posix' | 'vixie' = 'posix'> = string extends S
  ? S
  : Verdict<S, D, Fields<S>>;

type Verdict<S extends string, D, F extends readonly string[]> = F extends readonly []
  ? 'Invalid cron expression: it is empty; write minute hour day month weekday'
  : F extends readonly [`@${string}`, ...string[]]
    ? MacroVerdict<S, D, F>
    : F extends readonly [
          infer Minute extends string,
          infer Hour extends string,
          infer Day extends string,
          infer Month extends string,
          infer Weekday extends string,
        ]
      ? FirstFault<
          [
            FieldFault<D, 'minute', Minute>,
            FieldFault<D, 'hour', Hour>,
            FieldFault<D, 'day', Day>,
            FieldFault<D, 'month', Month>,
            FieldFault<D, 'weekday', Weekday>,
          ]
        > extends infer Message extends string
        ? Message
        : S
      : `Invalid cron expression: it has ${F['length']} fields instead of 5`;

type MacroVerdict<S extends string, D, F extends readonly string[]> = D extends 'posix'
  ? `Invalid cron expression: macros such as ${F[0]} are not POSIX`
  : F extends readonly [Macro]
    ? S
    : F[0] extends '@reboot'
      ? 'Invalid cron expression: @reboot names no time'
      : F[0] extends Macro
        ? `Invalid cron expression: the macro ${F[0]} stands alone`
        : `Invalid cron expression: ${F[0]} is no macro`;

type Macro = '@yearly' | '@annually' | '@monthly' | '@weekly' | '@daily' | '@midnight' | '@hourly';

type FirstFault<Faults extends readonly unknown[]> = Faults extends readonly [infer Head, ...infer Rest]
  ? Head extends string
    ? Head
    : FirstFault<Rest>
  : null;

/** The fields of a text, split at spaces and tabs. */
type Fields<S extends string, Done extends readonly string[] = []> = S extends `${' ' | '\t'}${infer Rest}`
  ? Fields<Rest, Done>
  : S extends ''
    ? Done
    : FieldHead<S> extends infer Head extends string
      ? S extends `${Head}${infer Rest}`
        ? Fields<Rest, [...Done, Head]>
        : never
      : never;

type FieldHead<S extends string> = BeforeTab<S extends `${infer Head} ${string}` ? Head : S>;
type BeforeTab<S extends string> = S extends `${infer Head}\t${string}` ? Head : S;

/** A message, or null when the field is right. */
type FieldFault<D, Name extends keyof Orders, Field extends string> = Field extends '*'
  ? null
  : D extends 'posix'
    ? ListFault<Name, Field, Orders[Name]>
    : VixieListFault<Name, Field>;

type ListFault<
  Name extends string,
  List extends string,
  Order extends string,
> = List extends `${infer Element},${infer Rest}`
  ? ElementFault<Name, Element, Order> extends infer Message extends string
    ? Message
    : ListFault<Name, Rest, Order>
  : ElementFault<Name, List, Order>;

type ElementFault<Name extends string, Element extends string, Order extends string> = Element extends ''
  ? `${Name} field: a list element is empty`
  : Element extends `${string}/${string}`
    ? `${Name} field: steps such as "${Element}" are not POSIX; list the values`
    : Element extends `${infer From}-${infer To}`
      ? RangeFault<
          Name,
          Element,
          ValueFault<Name, From, Order>,
          ValueFault<Name, To, Order>,
          Plain<From>,
          Plain<To>,
          Order
        >
      : ValueFault<Name, Element, Order>;

type VixieListFault<Name extends keyof Orders, List extends string> = List extends `${infer Element},${infer Rest}`
  ? VixieElementFault<Name, Element> extends infer Message extends string
    ? Message
    : VixieListFault<Name, Rest>
  : VixieElementFault<Name, List>;

type VixieElementFault<Name extends keyof Orders, Element extends string> = Element extends ''
  ? `${Name} field: a list element is empty`
  : Element extends `${infer Base}/${infer Step}`
    ? IsStep<Step> extends true
      ? VixieBaseFault<Name, Base>
      : `${Name} field: "${Step}" is not a step of 1 or more`
    : VixieBaseFault<Name, Element>;

/** `*`, a value or a range, names written as their numbers before the rules of POSIX look at them. */
type VixieBaseFault<Name extends keyof Orders, Base extends string> = Base extends '*'
  ? null
  : Base extends `${infer From}-${infer To}`
    ? RangeFault<
        Name,
        Base,
        ValueFault<Name, Numbered<Name, From>, VixieOrders[Name]>,
        ValueFault<Name, NumberedEnd<Name, To>, VixieOrders[Name]>,
        Plain<Numbered<Name, From>>,
        Plain<NumberedEnd<Name, To>>,
        VixieOrders[Name]
      >
    : ValueFault<Name, Numbered<Name, Base>, VixieOrders[Name]>;

/** A name as its number, anything else as it stands. */
type Numbered<Name, Value extends string> = Name extends keyof Names
  ? Uppercase<Value> extends infer Upper extends keyof Names[Name]
    ? Names[Name][Upper] & string
    : Value
  : Value;

/** At the end of a range Sunday by name comes after Saturday. */
type NumberedEnd<Name, Value extends string> = Name extends 'weekday'
  ? Uppercase<Value> extends 'SUN'
    ? '7'
    : Numbered<Name, Value>
  : Numbered<Name, Value>;

type IsStep<S extends string> = IsDigits<S> extends true ? (Plain<S> extends '0' ? false : true) : false;

/** `Order` lists the allowed values, each between commas, in their order. */
type RangeFault<
  Name extends string,
  Element extends string,
  FromFault,
  ToFault,
  From extends string,
  To extends string,
  Order extends string,
> = FromFault extends string
  ? FromFault
  : ToFault extends string
    ? ToFault
    : From extends To
      ? null
      : Order extends `${string},${From},${infer After}`
        ? `,${After}` extends `${string},${To},${string}`
          ? null
          : `${Name} field: the range "${Element}" wraps around; it must go from low to high`
        : never;

type ValueFault<Name extends string, Value extends string, Order extends string> =
  IsDigits<Value> extends true
    ? Order extends `${string},${Plain<Value>},${string}`
      ? null
      : `${Name} field: ${Value} is out of range ${BoundsOf<Name, Order>}`
    : `${Name} field: "${Value}" is not a number`;

/** The weekday of a crontab, which also counts Sunday as 7. */
type BoundsOf<Name extends string, Order extends string> = Order extends VixieOrders['weekday']
  ? '0-7'
  : Bounds[Name & keyof Bounds];

type IsDigits<S extends string> = S extends `${Digit}${infer Rest}` ? (Rest extends '' ? true : IsDigits<Rest>) : false;

/** Digits without leading zeros. */
type Plain<S extends string> = S extends `0${infer Rest}` ? (Rest extends '' ? '0' : Plain<Rest>) : S;

type Digit = '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9';

interface Bounds {
  minute: '0-59';
  hour: '0-23';
  day: '1-31';
  month: '1-12';
  weekday: '0-6 (Sunday is 0)';
}

type To9 = ',1,2,3,4,5,6,7,8,9';
type Teens = ',10,11,12,13,14,15,16,17,18,19';
type Twenties = ',20,21,22,23,24,25,26,27,28,29';
type Thirties = ',30,31,32,33,34,35,36,37,38,39';
type Forties = ',40,41,42,43,44,45,46,47,48,49';
type Fifties = ',50,51,52,53,54,55,56,57,58,59';
interface Orders {
  minute: MinuteOrder;
  hour: HourOrder;
  day: DayOrder;
  month: MonthOrder;
  weekday: ',0,1,2,3,4,5,6,';
}

interface VixieOrders extends Omit<Orders, 'weekday'> {
  weekday: ',0,1,2,3,4,5,6,7,';
}

/** The names of crontab and their numbers. */
interface Names {
  month: {
    JAN: '1';
    FEB: '2';
    MAR: '3';
    APR: '4';
    MAY: '5';
    JUN: '6';
    JUL: '7';
    AUG: '8';
    SEP: '9';
    OCT: '10';
    NOV: '11';
    DEC: '12';
  };
  weekday: { SUN: '0'; MON: '1'; TUE: '2'; WED: '3'; THU: '4'; FRI: '5'; SAT: '6' };
}

type MinuteOrder = `,0${To9}${Teens}${Twenties}${Thirties}${Forties}${Fifties},`;
type HourOrder = `,0${To9}${Teens},20,21,22,23,`;
type DayOrder = `${To9}${Teens}${Twenties},30,31,`;
type MonthOrder = `${To9},10,11,12,`;
