"""What the programs that run compiled kernels on a GPU share."""

import json


def vector(torch, count):
    return torch.arange(count, dtype=torch.float32, device="cuda")


def kind(value) -> str:
    """The name of a value's class, without the package."""
    return type(value).__name__


def on_a_stream(torch, count, call):
    """The sum of what `call` makes of a tensor of threes. It runs behind what its stream is busy with."""
    stream, x = torch.cuda.Stream(), torch.zeros(count, device="cuda")
    torch.cuda.synchronize()
    with torch.cuda.stream(stream):
        torch.cuda._sleep(20_000_000)
        x.fill_(3)
        out = call(x)
    stream.synchronize()
    return out.sum().item()


def refusals(call, *wrong):
    """The name of the class of the error that each wrong value raises."""
    found = []
    for value in wrong:
        try:
            call(value)
        except Exception as error:
            found.append(type(error).__name__)
        else:
            found.append("no error")
    return found


def print_results(jobs, run):
    """Prints what each job gives, or its error, as JSON."""
    found = {}
    for name, job in jobs.items():
        try:
            found[name] = job(run)
        except Exception as error:
            found[name] = f"{type(error).__name__}: {error}"
    print(json.dumps(found))
