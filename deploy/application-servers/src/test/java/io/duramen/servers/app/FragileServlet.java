package io.duramen.servers.app;

import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;

/** {@code fragile?broken=true} makes {@link FragileBean} fail, {@code false} ends that; tells how often it has failed. */
@WebServlet("/fragile")
public class FragileServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;
    private static final AtomicInteger FAILURES = new AtomicInteger();
    private static volatile boolean broken;

    /** Counts where it does. */
    static boolean fails() {
        if (broken) {
            FAILURES.incrementAndGet();
            return true;
        }
        return false;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        broken = Boolean.parseBoolean(request.getParameter("broken"));
        response.setContentType("text/plain");
        response.getWriter().print(FAILURES.get());
    }
}
