"""SimPy's tutorial models on SimPy itself, with the rules of a minute that the examples have, and with the numbers they have drawn.

Reads {"model": name, ...} as JSON from standard input and prints the events as a JSON list of [minute, type, id].

Within a minute m ends happen at m, outages and leaving at m + 0.25, new requests at m + 0.45, and starts at m + 0.5 at the latest.
"""

import json
import sys
from math import floor

import simpy

LEAVE = 0.25
ASK = 0.45
START = 0.5


class Model:
    def __init__(self, given):
        self.given = given
        self.env = simpy.Environment()
        self.events = []

    def note(self, kind, name):
        self.events.append([floor(self.env.now), kind, name])

    def until(self, minute, part):
        return self.env.timeout(minute + part - self.env.now)

    def start_of_this_minute(self):
        return self.env.timeout(max(0, floor(self.env.now) + START - self.env.now))

    def run(self):
        self.prepare()
        self.env.run(until=self.given["minutes"] + LEAVE / 2)
        return self.events


class Queue(Model):
    """Actions on one resource of some capacity; who has not started after its patience leaves."""

    def prepare(self):
        self.resource = simpy.Resource(self.env, self.given["capacity"])
        for action in self.given["actions"]:
            self.env.process(self.act(action))

    def act(self, action):
        yield self.until(action["submit"], ASK)
        patience = action.get("patience")
        gives_up = self.env.event() if patience is None else self.until(action["submit"] + patience, LEAVE)
        with self.resource.request() as request:
            yield request | gives_up
            if request.triggered:
                yield self.start_of_this_minute() | gives_up
            if gives_up.processed:
                self.note("cancel", action["id"])
                return
            self.note("start", action["id"])
            yield self.until(floor(self.env.now) + action["duration"], 0)
            self.note("end", action["id"])


class Latency(Model):
    """A cable that delays whatever is put into it."""

    def prepare(self):
        self.store = simpy.Store(self.env)
        self.env.process(self.sender())
        self.env.process(self.receiver())

    def sender(self):
        n = 0
        while True:
            n += 1
            yield self.until(n * self.given["gap"], START)
            self.note("start", "message %d" % n)
            self.env.process(self.cable("message %d" % n))

    def cable(self, message):
        yield self.until(floor(self.env.now) + self.given["delay"], 0)
        self.note("end", message)
        self.store.put(message)

    def receiver(self):
        while True:
            message = yield self.store.get()
            self.note("visibility_change", message)


class MachineShop(Model):
    """Machines that break, and one repairman whose other jobs a repair interrupts."""

    def prepare(self):
        self.repairman = simpy.PreemptiveResource(self.env)
        self.asked = 0
        for number, machine in enumerate(self.given["machines"]):
            works = self.env.process(self.work(machine))
            self.env.process(self.breakdowns(number, machine, works))
        self.env.process(self.other_jobs())

    def next_place(self):
        self.asked += 1
        return self.asked

    def work(self, machine):
        machine["up"] = self.env.event().succeed()
        parts = [[name, duration] for name, duration in machine["parts"]]
        while parts:
            part = parts.pop(0)
            ends = None
            try:
                yield machine["up"]
                yield self.start_of_this_minute()
                self.note("start", part[0])
                ends = floor(self.env.now) + part[1]
                yield self.until(ends, 0)
                self.note("end", part[0])
            except simpy.Interrupt:
                if ends is None:
                    parts.insert(0, part)
                    continue
                self.note("interrupt", part[0])
                # It asks again, behind all the parts that have asked before.
                parts.append([part[0], ends - floor(self.env.now)])

    def breakdowns(self, number, machine, works):
        for n, gap in enumerate(machine["gaps"], 1):
            yield self.until(floor(self.env.now) + gap, LEAVE + number / 1000)
            self.note("outage", "lock:" + machine["name"])
            machine["up"] = self.env.event()
            works.interrupt()
            yield self.until(floor(self.env.now), START + number / 1000)
            name = "repair:%s:%d" % (machine["name"], n)
            with self.repairman.request(priority=(0, self.next_place()), preempt=True) as request:
                yield request
                yield self.start_of_this_minute()
                self.note("start", name)
                yield self.until(floor(self.env.now) + self.given["repair"], 0)
                self.note("end", name)
            self.note("restore", "lock:" + machine["name"])
            machine["up"].succeed()

    def other_jobs(self):
        n = 0
        while True:
            n += 1
            yield self.until(n * self.given["job"], ASK)
            self.env.process(self.other_job("job %d" % n, self.given["job"]))

    def other_job(self, name, left):
        place = self.next_place()
        while left > 0:
            ends = None
            with self.repairman.request(priority=(1, place), preempt=False) as request:
                try:
                    yield request
                    yield self.until(floor(self.env.now), 0.9)
                    self.note("start", name)
                    ends = floor(self.env.now) + left
                    yield self.until(ends, 0)
                    self.note("end", name)
                    return
                except simpy.Interrupt:
                    if ends is None:
                        continue
                    self.note("interrupt", name)
                    left = ends - floor(self.env.now)
                    place = self.next_place()


class GasStation(Model):
    """Cars stand in one line for a pump and for fuel; a truck is called when little is left."""

    def prepare(self):
        self.line = simpy.Resource(self.env)
        self.pumps = simpy.Resource(self.env, self.given["pumps"])
        self.tank = simpy.Container(self.env, init=self.given["tank"])
        self.filling = 0
        self.truck = False
        for car in self.given["cars"]:
            self.env.process(self.refuel(car))

    def refuel(self, car):
        yield self.until(car["submit"], ASK)
        pump = self.pumps.request
        with self.line.request() as turn:
            yield turn
            request = pump()
            yield request
            yield self.tank.get(car["litres"])
            yield self.start_of_this_minute()
        self.filling += car["litres"]
        self.note("start", car["id"])
        if self.tank.level < self.given["low"] and not self.truck:
            self.truck = True
            self.env.process(self.deliver(floor(self.env.now)))
        yield self.until(floor(self.env.now) + car["duration"], 0)
        self.note("end", car["id"])
        self.filling -= car["litres"]
        self.pumps.release(request)

    def deliver(self, called):
        yield self.until(called + 1, START)
        self.note("start", "truck %d" % called)
        yield self.until(called + 1 + self.given["drive"], 0)
        self.note("end", "truck %d" % called)
        self.truck = False
        yield self.env.timeout(LEAVE)
        room = self.given["tank"] - self.tank.level - self.filling
        if room > 0:
            yield self.tank.put(room)


class MovieRenege(Model):
    """One counter sells tickets; who can no longer have what they want leaves a minute after it is known."""

    def prepare(self):
        self.counter = simpy.Resource(self.env)
        self.left = dict(self.given["tickets"])
        self.waiting = {}
        for order in self.given["orders"]:
            self.env.process(self.buy(order))

    def buy(self, order):
        yield self.until(order["submit"], ASK)
        leave = self.env.event()
        self.waiting[order["id"]] = (order, leave)
        gives_up = self.until(order["submit"] + order["patience"], LEAVE)
        with self.counter.request() as request:
            yield request | leave | gives_up
            if request.triggered and self.left[order["movie"]] >= order["tickets"]:
                yield self.start_of_this_minute() | leave | gives_up
            elif request.triggered:
                yield leave | gives_up
            del self.waiting[order["id"]]
            if leave.triggered or gives_up.processed:
                self.note("cancel", order["id"])
                self.look_around()
                return
            self.left[order["movie"]] -= order["tickets"]
            self.note("start", order["id"])
            self.look_around()
            yield self.until(floor(self.env.now) + 1, 0)
            self.note("end", order["id"])
            self.look_around()

    def look_around(self):
        for order, leave in list(self.waiting.values()):
            left = self.left[order["movie"]]
            if left < order["tickets"] or left < 2:
                self.env.process(self.tell(order["id"], leave))

    def tell(self, name, leave):
        yield self.until(floor(self.env.now) + 1, LEAVE)
        if name in self.waiting and not leave.triggered:
            leave.succeed()


MODELS = {
    "movie-renege": MovieRenege,
    "queue": Queue,
    "latency": Latency,
    "machine-shop": MachineShop,
    "gas-station": GasStation,
}


def main():
    if "--version" in sys.argv:
        print("SimPy " + simpy.__version__)
        return
    given = json.load(sys.stdin)
    print(json.dumps(MODELS[given["model"]](given).run()))


main()
