"""The crowd of the benches on SimPy: one action after the other on FIFO locks. Prints nanoseconds per action.

Reads from standard input a line with the number of minutes and of locks, then a line "submit duration lock" for each action.
With --check it prints the events instead, one "minute type action" a line. Runs on SimPy 3 and later, and on SimPy 2.
"""

import sys
from time import perf_counter_ns


def modern(simpy, minutes, locks, actions, events):
    environment = simpy.Environment()
    resources = [simpy.Resource(environment) for _ in range(locks)]

    def act(number, submit, duration, lock):
        yield environment.timeout(submit)
        with resources[lock].request() as request:
            yield request
            events.append((environment.now, 0, number))
            yield environment.timeout(duration)
            events.append((environment.now, 1, number))

    for number, action in enumerate(actions):
        environment.process(act(number, *action))
    # Ends at the last minute belong to it, and `until` is exclusive.
    environment.run(until=minutes + 0.5)


def classic(SimPy, minutes, locks, actions, events):
    simulation = SimPy.Simulation()
    resources = [SimPy.Resource(capacity=1, sim=simulation) for _ in range(locks)]

    class Act(SimPy.Process):
        def run(self, number, duration, lock):
            yield SimPy.request, self, resources[lock]
            events.append((simulation.now(), 0, number))
            yield SimPy.hold, self, duration
            events.append((simulation.now(), 1, number))
            yield SimPy.release, self, resources[lock]

    for number, (submit, duration, lock) in enumerate(actions):
        process = Act(sim=simulation)
        simulation.activate(process, process.run(number, duration, lock), at=submit)
    simulation.simulate(until=minutes)


def library():
    try:
        import simpy

        return "SimPy " + simpy.__version__, lambda *given: modern(simpy, *given)
    except ImportError:
        import SimPy
        import SimPy.Simulation

        return "SimPy " + SimPy.__version__, lambda *given: classic(SimPy.Simulation, *given)


def main():
    name, simulate = library()
    if "--version" in sys.argv:
        print(name)
        return
    minutes, locks = map(int, sys.stdin.readline().split())
    actions = [tuple(map(int, line.split())) for line in sys.stdin]
    events = []
    began = perf_counter_ns()
    simulate(minutes, locks, actions, events)
    took = perf_counter_ns() - began
    if "--check" in sys.argv:
        for minute, kind, number in events:
            print(int(minute), kind, number)
    else:
        print(took / len(actions))


main()
